import { expectAccessible } from './accessible.ts'
import { breakWorker, FAILING_CALLS, FAILING_STARTS } from './broken-worker.ts'
import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import {
  deleteBox,
  file,
  fileButton,
  importButton,
  lines,
  newNarrative,
  type Row,
  redText,
  rowsOf,
  storiesFile,
  storiesWorkbook,
} from './stories-page.ts'
import { expect } from './test.ts'

test('bad rows are shown before the import; after it they are shown in red, one per line, and nothing is stored', async ({
  page,
  faults,
}) => {
  faults.allow(REFUSED)
  const narrative = newNarrative()
  const bad = Array.from({ length: 12 }, (): [string, string, string, string] => ['x', 'TELEGRAM:POST:1', '', 'high'])
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile([...rowsOf(narrative, 2), ...bad]))
  const row = 'narrative_id must be a whole number; story is required; sentiment_score must be a number or empty'
  const findings = page.getByRole('status').filter({ hasText: '14 rows in 1 narrative' })
  await expect(findings).toContainText('12 rows cannot be imported.')
  await expect(findings.getByRole('listitem').first()).toHaveText(`Row 4: ${row}`)
  await importButton(page).click()
  const messages = [...Array.from({ length: 10 }, (_, index) => `Row ${index + 4}: ${row}`), '… and 2 more rows.']
  await expect(redText(page)).toHaveText(messages.join('\n'))
  expect((await redText(page).innerText()).split('\n')).toEqual(messages)
  await expect(redText(page)).toHaveCSS('color', 'rgb(180, 35, 24)')
  await expect(importButton(page)).toBeFocused()
  await expect(findings).toHaveCount(0)

  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2)))
  await importButton(page).click()
  await expect(lines(page)).toContainText([`2 stories imported into narrative ${narrative}`])
  await expect(redText(page)).toHaveCount(0)
})

test('a file that cannot be imported is marked when it is chosen; after the import, the error is shown once', async ({
  page,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto('/stories_import')
  for (const [name, text, error] of [
    ['notes.txt', 'Bread', 'File must be of type csv or xlsx.'],
    ['a.csv', '', 'The file is empty.'],
    [
      'a.csv',
      'narrative_id,message_composite_id,story,sentiment_score\n',
      'The file has no rows below its column names.',
    ],
    ['a.csv', 'story\nBread\n', 'The file is missing the columns narrative_id, message_composite_id, sentiment_score.'],
  ] as const) {
    await file(page).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await expect(fileButton(page)).toHaveAccessibleDescription(new RegExp(error))
    await importButton(page).click()
    await expect(redText(page)).toContainText(error)
    await expect(page.getByText(error)).toHaveCount(1)
  }
  await file(page).setInputFiles(storiesFile(rowsOf(newNarrative(), 1)))
  await importButton(page).click()
  await expect(lines(page)).toHaveCount(1)
})

test('before stories are deleted for a file without the needed columns, the dialog says that they cannot be listed', async ({
  page,
  faults,
}) => {
  faults.allow(REFUSED)
  await page.goto('/stories_import')
  await file(page).setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('story\nBread\n') })
  await expect(fileButton(page)).toHaveAccessibleDescription(/missing the columns/)
  await deleteBox(page).check()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
  await expect(dialog).toContainText('They cannot be listed, because the file could not be checked.')
  await dialog.getByRole('button', { name: 'Delete and import' }).click()
  await expect(redText(page)).toContainText('The file is missing the columns')
})

test('a damaged workbook is reported when it is chosen, and can still be sent', async ({ page, faults }) => {
  faults.allow(REFUSED)
  await page.goto('/stories_import')
  await file(page).setInputFiles({ name: 'stories.xlsx', mimeType: '', buffer: Buffer.from('Bread') })
  const warning = page.getByText('It has the extension .xlsx but is not an Excel workbook.')
  await expect(warning).toBeVisible()
  await importButton(page).click()
  await expect(redText(page)).toContainText('is not an Excel workbook')
  await expect(warning).toHaveCount(0)
})

test('a failed reader shows an error and can be retried; the import does not wait for it', async ({ page, faults }) => {
  faults.allow(/Failed to load resource|worker/i)
  const narrative = newNarrative()
  const failure = page.getByRole('status').filter({ hasText: 'The file could not be checked before the import.' })
  await page.goto('/stories_import')
  for (const [ways, message] of [
    [FAILING_STARTS, 'Part of this page could not be loaded. Check your connection'],
    [FAILING_CALLS, 'The file reader stopped unexpectedly.'],
  ] as const) {
    for (const [way, response] of Object.entries(ways)) {
      await test.step(way, async () => {
        const { restore } = await breakWorker(page, response)
        await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2)))
        await expect(failure).toContainText(message)
        await restore()
        await failure.getByRole('button', { name: 'Try again' }).click()
        await expect(page.getByRole('status').filter({ hasText: '2 rows in 1 narrative' })).toBeVisible()
        await expect(failure).toHaveCount(0)
      })
    }
  }

  await breakWorker(page, FAILING_STARTS['a script that throws'])
  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2)))
  await expect(failure).toBeVisible()
  await expectAccessible(page)
  await deleteBox(page).check()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
  await expect(dialog).toContainText('They cannot be listed, because the file could not be checked.')
  await dialog.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toContainText([`2 stories imported into narrative ${narrative}`])
})

test('doubtful message ids and sentiments are shown as warnings before the import, which takes them', async ({
  page,
}) => {
  const narrative = newNarrative()
  const bad = Array.from({ length: 7 }, (_, index): Row => [narrative, `msg${index}`, `Story ${index}`, 2])
  await page.goto('/stories_import')
  for (const doubtful of [
    storiesFile([...rowsOf(narrative, 1), ...bad]),
    storiesWorkbook([...rowsOf(narrative, 1), ...bad]),
  ]) {
    await file(page).setInputFiles(doubtful)
    const findings = page.getByRole('status').filter({ hasText: '8 rows in 1 narrative' })
    await expect(findings).toContainText('7 rows without a platform or content type in message_composite_id')
    await expect(findings).toContainText('7 rows with a sentiment_score below -1 or above 1')
    await expect(findings.getByRole('listitem').first()).toHaveText('Row 3: msg0')
    await expect(findings.getByText('… and 2 more rows')).toHaveCount(2)
  }
  await expectAccessible(page)
  await importButton(page).click()
  await expect(lines(page)).toContainText([`8 stories imported into narrative ${narrative}`])
  await expect(page.getByText('8 rows in 1 narrative')).toHaveCount(0)

  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2)))
  await deleteBox(page).check()
  await importButton(page).click()
  await expect(page.getByRole('dialog', { name: 'Delete 8 existing stories?' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
})
