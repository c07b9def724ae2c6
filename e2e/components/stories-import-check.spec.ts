import { countStories, importStories } from '@watchdesk/contract/stories-import'
import { expectAccessible } from '../accessible.ts'
import { breakWorker, FAILING_CALLS, FAILING_STARTS } from '../broken-worker.ts'
import {
  deleteBox,
  file,
  fileButton,
  importButton,
  lines,
  type Row,
  redText,
  rowsOf,
  storiesFile,
  storiesWorkbook,
  summary,
} from '../stories-page.ts'
import { expect, test } from './test.ts'

test.beforeEach(async ({ backend, open }) => {
  backend.answer(countStories, { counts: [{ narrative_id: 1, stories_count: 8 }] })
  backend.answer(importStories, { summaries: [summary(1)] })
  await open('/stories_import')
})

test('before stories are deleted for a file without the needed columns, the dialog says that they cannot be listed', async ({
  page,
  backend,
}) => {
  backend.refuse(importStories, 422, 'The file is missing the columns narrative_id.')
  await file(page).setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('story\nBread\n') })
  await expect(fileButton(page)).toHaveAccessibleDescription(/missing the columns/)
  await deleteBox(page).check()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
  await expect(dialog).toContainText('They cannot be listed, because the file could not be checked.')
  await dialog.getByRole('button', { name: 'Delete and import' }).click()
  await expect(redText(page)).toContainText('The file is missing the columns')
})

test('a damaged workbook is reported when it is chosen, and can still be sent', async ({ page, backend }) => {
  backend.refuse(importStories, 422, 'The file is not an Excel workbook.')
  await file(page).setInputFiles({ name: 'stories.xlsx', mimeType: '', buffer: Buffer.from('Bread') })
  const warning = page.getByText('It has the extension .xlsx but is not an Excel workbook.')
  await expect(warning).toBeVisible()
  await importButton(page).click()
  await expect(redText(page)).toContainText('is not an Excel workbook')
  await expect(warning).toHaveCount(0)
})

test('a failed reader shows an error and can be retried; the import does not wait for it', async ({ page, faults }) => {
  faults.allow(/worker/i)
  const failure = page.getByRole('status').filter({ hasText: 'The file could not be checked before the import.' })
  for (const [ways, message] of [
    [FAILING_STARTS, 'Part of this page could not be loaded. Check your connection'],
    [FAILING_CALLS, 'The file reader stopped unexpectedly.'],
  ] as const) {
    for (const [way, response] of Object.entries(ways)) {
      await test.step(way, async () => {
        const { restore } = await breakWorker(page, response)
        await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
        await expect(failure).toContainText(message)
        await restore()
        await failure.getByRole('button', { name: 'Try again' }).click()
        await expect(page.getByRole('status').filter({ hasText: '2 rows in 1 narrative' })).toBeVisible()
        await expect(failure).toHaveCount(0)
      })
    }
  }

  await breakWorker(page, FAILING_STARTS['a script that throws'])
  await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
  await expect(failure).toBeVisible()
  await expectAccessible(page)
  await deleteBox(page).check()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
  await expect(dialog).toContainText('They cannot be listed, because the file could not be checked.')
  await dialog.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toContainText(['2 stories imported into narrative 1'])
})

test('doubtful message ids and sentiments are shown as warnings before the import, which takes them', async ({
  page,
}) => {
  const bad = Array.from({ length: 7 }, (_, index): Row => [1, `msg${index}`, `Story ${index}`, 2])
  for (const doubtful of [storiesFile([...rowsOf(1, 1), ...bad]), storiesWorkbook([...rowsOf(1, 1), ...bad])]) {
    await file(page).setInputFiles(doubtful)
    const findings = page.getByRole('status').filter({ hasText: '8 rows in 1 narrative' })
    await expect(findings).toContainText('7 rows without a platform or content type in message_composite_id')
    await expect(findings).toContainText('7 rows with a sentiment_score below -1 or above 1')
    await expect(findings.getByRole('listitem').first()).toHaveText('Row 3: msg0')
    await expect(findings.getByText('… and 2 more rows')).toHaveCount(2)
  }
  await expectAccessible(page)
  await importButton(page).click()
  await expect(lines(page)).toContainText(['2 stories imported into narrative 1'])
  await expect(page.getByText('8 rows in 1 narrative')).toHaveCount(0)

  await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
  await deleteBox(page).check()
  await importButton(page).click()
  await expect(page.getByRole('dialog', { name: 'Delete 8 existing stories?' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
})
