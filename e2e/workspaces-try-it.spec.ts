import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { newNarrative, seedStories } from './stories-page.ts'
import { expect, storeToken } from './test.ts'
import { button, field, section, slider, test } from './workspaces-page.ts'

const SIMILAR = '**/api/v1/narratives/*/similar?*'
const THRESHOLD = 'Narratives similarity threshold'
const STORIES = [
  'Bread prices rise before the harvest',
  'Bread prices rise before the harvest again',
  'Bread prices rise, bakers say',
  'Ціни на хліб зростають перед жнивами',
  'A football match ended in a draw',
]

const panel = (page: Page) => page.getByRole('group', { name: 'Try the threshold' })
const count = (page: Page) => panel(page).getByRole('status')
const nearest = (page: Page) => panel(page).getByRole('list', { name: 'Most similar stories' }).getByRole('listitem')

async function open(page: Page, url = '/workspaces/create') {
  await page.goto(url)
  await section(page, 'Advanced configuration').click()
  await button(page, 'Try it').click()
  await expect(field(panel(page), 'Narrative id')).toBeFocused()
}

async function compare(page: Page, narrative: number | string, text: string) {
  await field(panel(page), 'Narrative id').fill(String(narrative))
  await field(panel(page), 'Text').fill(text)
  await button(panel(page), 'Compare').click()
}

async function seed(page: Page, watchdesk: Parameters<typeof seedStories>[1], vectorize: boolean) {
  const narrative = newNarrative()
  const rows = STORIES.map((story, index): [number, string, string] => [narrative, `VK:POST:${index}`, `"${story}"`])
  await seedStories(page, watchdesk, rows, vectorize)
  return narrative
}

test('says how many stories pass, and moves with the slider without another call', async ({ page, watchdesk }) => {
  const narrative = await seed(page, watchdesk, true)
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/similar?')) calls += 1
  })
  await open(page)
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

test('asks for both fields; Enter compares, and never saves the workspace', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const narrative = await seed(page, watchdesk, false)
  await open(page)
  await page.keyboard.press('Enter')
  await expect(field(panel(page), 'Narrative id')).toHaveAccessibleDescription('Narrative id is required')
  await expect(field(panel(page), 'Text')).toHaveAccessibleDescription('Text is required')
  await expect(field(panel(page), 'Narrative id')).toBeFocused()
  await expect(page.getByText('Workspace name is required!')).toHaveCount(0)

  await page.keyboard.type('seven')
  await page.keyboard.press('Enter')
  await expect(field(panel(page), 'Narrative id')).toHaveAccessibleDescription('Must be a whole number.')
  await field(panel(page), 'Narrative id').fill(String(narrative))
  await field(panel(page), 'Text').fill('bread')
  await page.keyboard.press('Enter')
  await expect(count(page)).toHaveText(
    `Narrative ${narrative} has no stories vectorized with the model lexical yet. Vectorize the narrative first.`,
  )
  await expect(count(page).getByRole('link', { name: 'Vectorize the narrative first' })).toHaveAttribute(
    'href',
    `/narratives_vectorization?narrative_id=${narrative}`,
  )

  await compare(page, 2_147_483_647, 'bread')
  await expect(panel(page).getByRole('alert')).toHaveText('Narrative not found.')
  await expect(count(page)).toHaveCount(0)
  await expect(page).toHaveURL('/workspaces/create')
})

test('a threshold between two steps of the slider is counted exactly', async ({ page, make, watchdesk }) => {
  const narrative = await seed(page, watchdesk, true)
  const { id } = await make.workspace({ narratives_similarity_threshold: 0.123 })
  await open(page, `/workspaces/${id}/edit`)
  const request = page.waitForRequest(SIMILAR)
  await compare(page, narrative, 'bread prices')
  expect(new URL((await request).url()).searchParams.get('threshold')).toBe('0.123')
  await expect(nearest(page)).toHaveCount(5)
  const similarities = await panel(page).locator('li > :first-child').allInnerTexts()
  const passing = similarities.filter((similarity) => Number(similarity) >= 0.123).length
  await expect(count(page)).toHaveText(`${passing} of 5 stories pass the threshold of 0.123`)
})

test('a server that fails, or lacks the endpoint, is reported as such', async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  faults.allow(BROKEN)
  await storeToken(page, otherBackend.url, 'any')
  for (const [call, body] of Object.entries({
    'users/me': { id: 1, first_name: 'Iryna', last_name: 'Shevchuk', email: 'i@example.com', is_super_admin: true },
    'config/available_roles': [],
    'config/all_roles': [],
    'config/all_featureflags': [],
    'config/case_types': [],
    'config/vectorization_models': {},
    'config/website_config': {},
    'powerbi_dashboards/': { objects: [] },
  }))
    otherBackend.responses[`GET /api/v1/${call}`] = { status: 200, body }
  await open(page, `${otherBackend.url}/workspaces/create`)
  const red = panel(page).getByRole('alert')
  await compare(page, 7, 'bread')
  await expect(red).toHaveText('This server cannot compare texts with stories.')
  otherBackend.responses['GET /api/v1/narratives/7/similar'] = { status: 500, body: 'broken' }
  await button(panel(page), 'Compare').click()
  await expect(red).toContainText('Something went wrong')
  await expect(red).toContainText('The server responded with status 500.')
  await expect(button(panel(page), 'Compare')).toBeFocused()
})

test('axe finds nothing in either scheme, at either width', async ({ page, watchdesk }) => {
  const narrative = await seed(page, watchdesk, true)
  await open(page)
  await compare(page, narrative, 'bread prices')
  await count(page).waitFor()
  await slider(page, THRESHOLD).focus()
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight')
  await expect(count(page)).toContainText('0.50')
  await expectAccessible(page)
})
