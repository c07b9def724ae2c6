import { jobCard, LONG, sourcesFile } from './jobs-page.ts'
import { fileField, importButton } from './source-import-page.ts'
import { expect } from './test.ts'
import { test, toast } from './workspaces-page.ts'

test('100,000 rows are imported in the background, and a message tells so on another page', async ({ page }) => {
  test.setTimeout(300_000)
  const name = 'background'
  await page.goto('/source_import')
  await fileField(page).setInputFiles(sourcesFile(100_000, name))
  await expect(page.getByText('100,000 of 100,000 rows can be imported.')).toBeVisible(LONG)
  await importButton(page).click()
  await expect(jobCard(page, name)).toContainText('You can leave this page.', LONG)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL(/\/users/)
  await expect(toast(page)).toContainText(`100,000 sources were imported from ${name}.csv`, LONG)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(/\/imports\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${name}.csv`)
})
