import { LONG } from './jobs-page.ts'
import { file, importButton, lines, newNarrative, type Row, storiesFile } from './stories-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

test('a large file of stories is imported in the background', async ({ page }) => {
  const narrative = newNarrative()
  // Just too large for a call.
  const story = 'Bread and salt. '.repeat(2_700)
  const rows = Array.from({ length: 200 }, (_, index): Row => [narrative, `VK:POST:${index}`, `${index} ${story}`])
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rows, 'large-stories.csv'))
  const queued = page.waitForResponse('**/api/v1/stories-import/jobs')
  await importButton(page).click()
  expect((await queued).status()).toBe(202)
  await expect(lines(page)).toContainText(`200 stories imported into narrative ${narrative}`, LONG)
})
