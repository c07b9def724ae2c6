import { type SimilarStories, similarStories } from '@watchdesk/contract/narratives-vectorization'
import { createWorkspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { compare, count, nearest, openPanel, panel, THRESHOLD } from '../try-it-page.ts'
import { button, field, slider } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const SIMILARITIES = [0.9, 0.5, 0.2, 0.125, 0.1]

/** Five stories, of which as many pass as reach the threshold. */
function found(threshold = 0): SimilarStories {
  const passing = (least: number) => SIMILARITIES.filter((similarity) => similarity >= least).length
  return {
    narrative_id: 7,
    model: 'lexical',
    vectorized_count: 5,
    passing_count: passing(threshold),
    passing_counts: Array.from({ length: 21 }, (_, step) => passing(step / 20)),
    nearest: SIMILARITIES.map((similarity, index) => ({
      id: index + 1,
      message_composite_id: `VK:POST:${index}`,
      story: `Bread prices rise, part ${index}`,
      similarity,
    })),
  }
}

test('asks for both fields; Enter compares, and never saves the workspace', async ({ page, backend, open }) => {
  backend.answer(similarStories, { ...found(), vectorized_count: 0, passing_count: 0, nearest: [] })
  await open('/workspaces/create')
  await openPanel(page)
  await page.keyboard.press('Enter')
  await expect(field(panel(page), 'Narrative id')).toHaveAccessibleDescription('Narrative id is required')
  await expect(field(panel(page), 'Text')).toHaveAccessibleDescription('Text is required')
  await expect(field(panel(page), 'Narrative id')).toBeFocused()
  await expect(page.getByText('Workspace name is required!')).toHaveCount(0)

  await page.keyboard.type('seven')
  await page.keyboard.press('Enter')
  await expect(field(panel(page), 'Narrative id')).toHaveAccessibleDescription('Must be a whole number.')
  await field(panel(page), 'Narrative id').fill('7')
  await field(panel(page), 'Text').fill('bread')
  await page.keyboard.press('Enter')
  await expect(count(page)).toHaveText(
    'Narrative 7 has no stories vectorized with the model lexical yet. Vectorize the narrative first.',
  )
  await expect(count(page).getByRole('link', { name: 'Vectorize the narrative first' })).toHaveAttribute(
    'href',
    '/narratives_vectorization?narrative_id=7',
  )

  backend.refuse(similarStories, 404, 'Narrative not found.')
  await compare(page, 2_147_483_647, 'bread')
  await expect(panel(page).getByRole('alert')).toHaveText('Narrative not found.')
  await expect(count(page)).toHaveCount(0)
  await expect(page).toHaveURL('/workspaces/create')
  expect(backend.calls(createWorkspace)).toEqual([])
})

test('a threshold between two steps of the slider is counted exactly', async ({ page, backend, open }) => {
  keepWorkspaces(backend, aWorkspace({ config: { narratives_similarity_threshold: 0.123 } }))
  backend.answer(similarStories, ({ query }) => found(Number(query.threshold)))
  await open('/workspaces/1/edit')
  await openPanel(page)
  await compare(page, 7, 'bread prices')
  await expect(nearest(page)).toHaveCount(5)
  await expect(count(page)).toHaveText('4 of 5 stories pass the threshold of 0.123')
  expect(backend.calls(similarStories).map(({ query }) => query.threshold)).toEqual(['0.123'])
})

test('says how many stories pass, and moves with the slider without another call', async ({ page, backend, open }) => {
  backend.answer(similarStories, found())
  await open('/workspaces/create')
  await openPanel(page)
  await compare(page, 7, 'bread prices')
  await expect(count(page)).toHaveText('5 of 5 stories pass, because no threshold is set')
  await expect(nearest(page).first()).toContainText('VK:POST:0')
  await slider(page, THRESHOLD).press('End')
  await expect(count(page)).toHaveText('0 of 5 stories pass the threshold of 1.00')
  await expect(nearest(page).filter({ hasText: 'Below the threshold' })).toHaveCount(5)
  await slider(page, THRESHOLD).press('Home')
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
  await expect(count(page)).toHaveText('3 of 5 stories pass the threshold of 0.20')
  await expect(nearest(page).filter({ hasText: 'Below the threshold' })).toHaveCount(2)
  await expectAccessible(panel(page))
  await button(page, `Clear ${THRESHOLD.toLowerCase()}`).click()
  await expect(count(page)).toHaveText('5 of 5 stories pass, because no threshold is set')
  expect(backend.calls(similarStories)).toHaveLength(1)

  backend.refuse(similarStories, 404, 'Not Found')
  await button(panel(page), 'Compare').click()
  const red = panel(page).getByRole('alert')
  await expect(red).toHaveText('This server cannot compare texts with stories.')
  backend.raw(similarStories, 500, 'broken')
  await button(panel(page), 'Compare').click()
  await expect(red).toContainText('Something went wrong')
  await expect(red).toContainText('The server responded with status 500.')
  await expect(button(panel(page), 'Compare')).toBeFocused()
})
