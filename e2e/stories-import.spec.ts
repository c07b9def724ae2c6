import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import {
  deleteBox,
  file,
  fileButton,
  importButton,
  lines,
  newNarrative,
  redText,
  rowsOf,
  slowUploads,
  storiesFile,
  storiesWorkbook,
} from './stories-page.ts'
import { expect } from './test.ts'

test('a file is imported; again, it changes nothing; with delete, it replaces the existing stories', async ({
  page,
}) => {
  const [one, two] = [newNarrative(), newNarrative()]
  const stories = storiesFile([...rowsOf(one, 3), ...rowsOf(two, 1)])
  await page.goto('/stories_import')
  await file(page).setInputFiles(stories)
  const request = page.waitForRequest('**/api/v1/stories-import/from-file')
  await importButton(page).click()
  expect((await request).headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  await expect(lines(page)).toHaveText([
    `3 stories imported into narrative ${one}Vectorize this narrative`,
    `1 stories imported into narrative ${two}Vectorize this narrative`,
  ])
  await expect(page.getByRole('heading', { name: 'Imported stories.csv' })).toBeFocused()
  await expect(page.getByText('stories.csv', { exact: true })).toHaveCount(0)

  await file(page).setInputFiles(stories)
  await importButton(page).click()
  await expect(lines(page)).toHaveText([
    new RegExp(`^0 stories imported into narrative ${one}3 duplicates skipped`),
    new RegExp(`^0 stories imported into narrative ${two}1 duplicate skipped`),
  ])

  await file(page).setInputFiles(storiesWorkbook(rowsOf(one, 2)))
  await deleteBox(page).check()
  await importButton(page).click()
  const question = page.getByRole('dialog', { name: 'Delete 3 existing stories?' })
  await expect(question.getByRole('listitem')).toHaveText([`Narrative ${one}: 3 stories`])
  await question.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toHaveText([
    new RegExp(`^2 stories imported into narrative ${one}3 existing stories deleted`),
  ])
  await expect(deleteBox(page)).not.toBeChecked()

  await page.getByRole('link', { name: `Vectorize narrative ${one}` }).click()
  await expect(page).toHaveURL(`/narratives_vectorization?narrative_id=${one}`)
  await expect(page.getByRole('textbox', { name: 'Narrative id' })).toHaveValue(String(one))
})

test('an upload shows its progress; when cancelled, nothing is stored', async ({ page }) => {
  const narrative = newNarrative()
  const story = 'bread '.repeat(100)
  const large = storiesFile(Array.from({ length: 4_000 }, (_, index) => [narrative, `VK:POST:${index}`, story]))
  await page.goto('/stories_import')
  const slow = await slowUploads(page, 200_000)
  await file(page).setInputFiles(large)
  await importButton(page).click()
  const bar = page.getByRole('progressbar', { name: 'Upload' })
  await expect(bar).not.toHaveAttribute('aria-valuenow', '0')
  await expect(page.getByText(/^Uploading .* of 2\.\d+ MB$/)).toBeVisible()
  await expect(importButton(page)).toHaveCount(0)

  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop the upload?' })
  await expect(dialog).toContainText('nothing is imported')
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL('/stories_import')

  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await failed
  await expect(importButton(page)).toBeFocused()
  await expect(redText(page)).toHaveCount(0)
  await expect(page.getByText('stories.csv', { exact: true })).toBeVisible()

  await slow.end()
  await importButton(page).click()
  await expect(lines(page)).toContainText([`4000 stories imported into narrative ${narrative}`])
})

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

  // A doubtful row is taken.
  await file(page).setInputFiles(storiesFile([...rowsOf(narrative, 1), [narrative, 'msg1', 'Bread', 2]]))
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
