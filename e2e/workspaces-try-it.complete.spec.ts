import { newNarrative, seedStories } from './stories-page.ts'
import { expect } from './test.ts'
import { compare, count, nearest, openPanel, panel } from './try-it-page.ts'
import { test } from './workspaces-page.ts'

const STORIES = [
  'Bread prices rise before the harvest',
  'Bread prices rise before the harvest again',
  'A football match ended in a draw',
]

test('the stories of a narrative are compared with a text', async ({ page, watchdesk }) => {
  const narrative = newNarrative()
  const rows = STORIES.map((story, index): [number, string, string] => [narrative, `VK:POST:${index}`, `"${story}"`])
  await seedStories(page, watchdesk, rows, true)
  await page.goto('/workspaces/create')
  await openPanel(page)
  await compare(page, narrative, 'bread prices RISE before harvest')
  await expect(count(page)).toHaveText('3 of 3 stories pass, because no threshold is set')
  await expect(nearest(page)).toHaveCount(3)
  await expect(nearest(page).first()).toContainText('Bread prices rise before the harvest')
  await expect(nearest(page).first()).toContainText('VK:POST:0')
  await expect(panel(page)).toContainText('Compared with the model lexical.')
})
