import { newNarrative, seedStories } from './stories-page.ts'
import { expect } from './test.ts'
import { compare, count, nearest, openPanel, panel, THRESHOLD } from './try-it-page.ts'
import { button, slider, test } from './workspaces-page.ts'

const STORIES = [
  'Bread prices rise before the harvest',
  'Bread prices rise before the harvest again',
  'Bread prices rise, bakers say',
  'Ціни на хліб зростають перед жнивами',
  'A football match ended in a draw',
]

test('says how many stories pass, and moves with the slider without another call', async ({ page, watchdesk }) => {
  const narrative = newNarrative()
  const rows = STORIES.map((story, index): [number, string, string] => [narrative, `VK:POST:${index}`, `"${story}"`])
  await seedStories(page, watchdesk, rows, true)
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/similar?')) calls += 1
  })
  await page.goto('/workspaces/create')
  await openPanel(page)
  await compare(page, narrative, 'bread prices RISE before harvest')
  await expect(count(page)).toHaveText('5 of 5 stories pass, because no threshold is set')
  await expect(nearest(page)).toHaveCount(5)
  await expect(nearest(page).first()).toContainText('Bread prices rise before the harvest')
  await expect(nearest(page).first()).toContainText('VK:POST:0')
  await expect(nearest(page).nth(2)).toContainText('Bread prices rise, bakers say')
  await expect(panel(page)).toContainText('Compared with the model lexical.')

  const thumb = slider(page, THRESHOLD)
  await thumb.focus()
  await page.keyboard.press('End')
  await expect(count(page)).toHaveText('0 of 5 stories pass the threshold of 1.00')
  await expect(nearest(page).filter({ hasText: 'Below the threshold' })).toHaveCount(5)
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowLeft')
  const similarities = await panel(page).locator('li > :first-child').allInnerTexts()
  const passing = similarities.filter((similarity) => Number(similarity) >= 0.5).length
  expect(passing).toBeGreaterThan(0)
  expect(passing).toBeLessThan(5)
  await expect(count(page)).toHaveText(`${passing} of 5 stories pass the threshold of 0.50`)
  await expect(nearest(page).filter({ hasText: 'Below the threshold' })).toHaveCount(5 - passing)
  await button(page, `Clear ${THRESHOLD.toLowerCase()}`).click()
  await expect(count(page)).toHaveText('5 of 5 stories pass, because no threshold is set')
  expect(calls).toBe(1)

  await button(page, 'Try it').click()
  await expect(panel(page)).toHaveCount(0)
})
