import { countStories, importStories } from '@watchdesk/contract/stories-import'
import { file, importButton, lines, rowsOf, storiesFile, summary } from '../stories-page.ts'
import { expect, test } from './test.ts'

test('a form whose schema cannot be loaded says so, and works once it can', async ({ page, backend }) => {
  backend.answer(countStories, { counts: [] })
  backend.answer(importStories, { summaries: [summary(1)] })
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
