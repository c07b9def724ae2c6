import { newNarrative, rowsOf, seedStories } from './stories-page.ts'
import { expect } from './test.ts'
import {
  choose,
  executionDate,
  narrativeId,
  runOf,
  shownStatus,
  status,
  statusButton,
  trigger,
  triggerButton,
} from './vectorization-page.ts'
import { test } from './workspaces-page.ts'

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('a run is triggered, shown, followed to its success without a reload, and opened', async ({
  page,
  context,
  watchdesk,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const narrative = newNarrative()
  await seedStories(page, watchdesk, [...rowsOf(narrative, 40), [narrative, 'VK:VIDEO:1', 'Bread on a film']])
  await page.goto(`/narratives_vectorization?narrative_id=${narrative}`)
  await expect(narrativeId(page)).toHaveValue(String(narrative))
  await statusButton(page).click()
  await expect(executionDate(page)).toHaveAccessibleDescription(/^Execution date is required/)
  await choose(page, 'Platforms', ['TELEGRAM', 'FACEBOOK'])
  await choose(page, 'Content types', ['POST'])
  const request = page.waitForRequest((sent) => sent.method() === 'POST')
  await triggerButton(page).click()
  expect((await request).postDataJSON()).toEqual({
    narrative_id: narrative,
    platforms: ['TELEGRAM', 'FACEBOOK'],
    content_types: ['POST'],
  })
  expect((await request).headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)

  const started = trigger(page).getByRole('status')
  await expect(started).toContainText(`Vectorization of narrative ${narrative} was triggered.`)
  const date = await started.locator('code').innerText()
  expect(date).toMatch(DATE)
  await started.getByRole('button', { name: 'Copy' }).click()
  await expect(started.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(date)
  await expect(executionDate(page)).toHaveValue(date)
  await expect(executionDate(page)).toHaveAccessibleDescription('The execution date shown when the run was triggered')

  const run = runOf(page, narrative)
  const cells = [String(narrative), 'success', '40 stories', 'lexical', 'TELEGRAM, FACEBOOK, POST', 'Super Admin']
  await expect(run.getByRole('cell')).toHaveText([...cells, /\d/, / s$/, ''], { useInnerText: true })
  await statusButton(page).click()
  await expect(shownStatus(page)).toContainText('success')

  await executionDate(page).fill('')
  await run.getByRole('button', { name: `Show the status of ${date}` }).click()
  await expect(executionDate(page)).toHaveValue(date)
  await expect(shownStatus(page)).toHaveText(`Statussuccess${date}`)
  await expect(status(page)).toContainText(`Narrative ${narrative}`)
})
