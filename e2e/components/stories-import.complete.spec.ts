import { appendFile, writeFile } from 'node:fs/promises'
import { importStories } from '@watchdesk/contract/stories-import'
import { file, fileButton, importButton, lines, redText, rowsOf, storiesFile, summary } from '../stories-page.ts'
import { expect, test } from './test.ts'

test.beforeEach(async ({ backend, open }) => {
  backend.answer(importStories, { summaries: [summary(1)] })
  await open('/stories_import')
})

test('a form whose schema cannot be loaded says so, and works once it can', async ({ page }) => {
  const schema = '**/assets/stories-import.schema-*.js'
  await page.route(schema, (route) => route.abort())
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
  await importButton(page).click()
  await expect(page.getByText('The server cannot be reached. Check your connection and try again.')).toBeVisible()
  await page.unroute(schema)
  await importButton(page).click()
  await expect(lines(page)).toContainText(['2 stories imported into narrative 1'])
})

test('a file that was changed after it was chosen gets an error message', async ({ page }, testInfo) => {
  const path = testInfo.outputPath('stories.csv')
  await writeFile(path, storiesFile(rowsOf(1, 1)).buffer)
  await file(page).setInputFiles(path)
  await appendFile(path, '\n')
  await importButton(page).click()
  await expect(redText(page)).toHaveText('The file was changed or moved after it was chosen. Choose it again.')
  const chooser = page.waitForEvent('filechooser')
  await fileButton(page).click()
  await (await chooser).setFiles(path)
  await expect(redText(page)).toHaveCount(0)
  await importButton(page).click()
  await expect(lines(page)).toHaveCount(1)
})

test('the plain summaries of another backend are shown, and its errors with the usual messages', async ({
  page,
  backend,
}) => {
  await file(page).setInputFiles(storiesFile(rowsOf(1, 1)))
  const detail = [
    { loc: ['body', 'file'], msg: 'Value error, row 2', type: 'value_error' },
    { loc: ['body', 'file'], msg: 'Value error, row 3', type: 'value_error' },
  ]
  for (const [status, body, text] of [
    [422, { detail }, 'Value error, row 2\nValue error, row 3'],
    [502, '<h1>Bad gateway</h1>', 'Something went wrong\nThe server responded with status 502.'],
  ] as const) {
    backend.raw(importStories, status, body)
    await importButton(page).click()
    await expect(redText(page)).toContainText(text.split('\n')[0] ?? '')
    expect(await redText(page).innerText()).toBe(text)
  }

  backend.raw(importStories, 200, { summaries: [{ narrative_id: 7, imported_stories_count: 1234 }] })
  await importButton(page).click()
  await expect(lines(page)).toHaveText(['1234 stories imported into narrative 7Vectorize this narrative'])
  const sent = String(backend.calls(importStories).at(-1)?.body)
  expect(sent).toMatch(/name="delete_existing_stories"\s+false/)
  expect(sent).toContain('filename="stories.csv"')
})
