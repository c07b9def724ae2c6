import {
  deleteBox,
  file,
  importButton,
  lines,
  newNarrative,
  rowsOf,
  storiesFile,
  storiesWorkbook,
} from './stories-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

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
