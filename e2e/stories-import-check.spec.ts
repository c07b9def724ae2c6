import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { file, fileButton, importButton, lines, newNarrative, redText, rowsOf, storiesFile } from './stories-page.ts'
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
