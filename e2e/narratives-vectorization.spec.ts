import type { Page } from '@playwright/test'
import type { Run } from '@watchdesk/contract/narratives-vectorization'
import { expectAccessible } from './accessible.ts'
import { BROKEN, password, REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { newNarrative, rowsOf, seedStories } from './stories-page.ts'
import { expect, storeToken } from './test.ts'

const CALL = '/api/v1/airflow/vectorize-narrative'
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const trigger = (page: Page) => page.getByRole('form', { name: 'Trigger vectorization' })
const status = (page: Page) => page.getByRole('form', { name: 'Get vectorization status' })
/** By its text, because the loader is a status too. */
const shownStatus = (page: Page) => status(page).getByRole('status').filter({ hasText: 'Status' })
const narrativeId = (page: Page) => trigger(page).getByRole('textbox', { name: 'Narrative id' })
const executionDate = (page: Page) => status(page).getByRole('textbox', { name: 'Execution date' })
const triggerButton = (page: Page) => trigger(page).getByRole('button', { name: 'Trigger vectorization' })
const statusButton = (page: Page) => status(page).getByRole('button', { name: 'Get status' })
const runs = (page: Page) => page.getByRole('table', { name: 'Recent runs' })
const runOf = (page: Page, narrative: number) =>
  runs(page)
    .locator('tbody tr')
    .filter({ has: page.getByRole('cell', { name: String(narrative), exact: true }) })

async function choose(page: Page, label: string, options: string[]) {
  await page.getByRole('combobox', { name: label }).click()
  for (const name of options) await page.getByRole('option', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}

test('each message of the two cards', async ({ page, faults }) => {
  faults.allow(REFUSED)
  await page.goto('/narratives_vectorization')
  await expect(page).toHaveTitle('Narratives vectorization · Watchdesk')
  await triggerButton(page).click()
  await expect(narrativeId(page)).toHaveAccessibleDescription('Narrative id is required')
  await expect(narrativeId(page)).toBeFocused()
  for (const wrong of ['seven', '1.5', '-1', '0', '1e3', '2147483648']) {
    await narrativeId(page).fill(wrong)
    await triggerButton(page).click()
    await expect(narrativeId(page)).toHaveAccessibleDescription(
      'Narrative id must be a whole number from 1 to 2,147,483,647.',
    )
  }
  await narrativeId(page).fill('2147483647')
  await triggerButton(page).click()
  await expect(trigger(page).getByRole('alert')).toHaveText('Narrative not found.')
  await expect(trigger(page).getByRole('alert')).toHaveCSS('color', 'rgb(180, 35, 24)')

  await statusButton(page).click()
  await expect(executionDate(page)).toHaveAccessibleDescription(/^Execution date is required/)
  await expect(executionDate(page)).toBeFocused()
  await executionDate(page).fill('yesterday')
  await statusButton(page).click()
  await expect(status(page).getByRole('alert')).toHaveText(
    'Enter the execution date in this format: 2026-11-15T09:30:00.000Z.',
  )
  await executionDate(page).fill('../../users/me')
  await statusButton(page).click()
  await expect(status(page).getByRole('alert')).toHaveText(/^Enter the execution date in this format/)
  await executionDate(page).fill(' 2020-01-01T00:00:00.000Z ')
  await statusButton(page).click()
  await expect(status(page).getByRole('alert')).toHaveText('Vectorization run not found.')
  await expect(status(page).getByRole('alert')).toHaveCSS('color', 'rgb(180, 35, 24)')
})

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

test('requesting the status of the same run again shows the new one, or an error at once', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(BROKEN)
  const narrative = newNarrative()
  await seedStories(page, watchdesk, rowsOf(narrative, 1))
  await page.goto(`/narratives_vectorization?narrative_id=${narrative}`)
  await triggerButton(page).click()
  await expect(runOf(page, narrative)).toContainText('success')
  const shown = shownStatus(page)
  let [asked, ended] = [0, 0]
  let response: { status: number; json: object } = { status: 200, json: { status: 'success' } }
  await page.route(`**${CALL}/*`, async (route) => {
    asked += 1
    await route.fulfill(response)
  })
  page.on('requestfailed', () => {
    ended += 1
  })
  await statusButton(page).click()
  await expect(shown).toContainText('success')

  response = { status: 200, json: { status: 'failed' } }
  await statusButton(page).click()
  await expect(shown).toContainText('failed')

  response = { status: 503, json: { detail: 'Airflow cannot be reached.' } }
  await statusButton(page).click()
  await expect(status(page).getByRole('alert')).toHaveText('Airflow cannot be reached.')
  await expect(shown).toHaveCount(0)
  expect([asked, ended]).toEqual([3, 0])

  response = { status: 200, json: { status: 'running' } }
  await statusButton(page).click()
  await expect(shown).toContainText('running')
  await expect(status(page).getByRole('alert')).toHaveCount(0)
  // The first failed poll is shown too. A retry would get no response.
  let isFirst = true
  await page.route(`**${CALL}/*`, async (route) => {
    if (isFirst) await route.fulfill({ status: 503, json: { detail: 'Airflow cannot be reached.' } })
    isFirst = false
  })
  await expect(status(page).getByRole('alert')).toHaveText('Airflow cannot be reached.')
})

test('runs are paged like every list', async ({ page, watchdesk, api }) => {
  const narrative = newNarrative()
  await seedStories(page, watchdesk, rowsOf(narrative, 1))
  const body = { narrative_id: narrative, platforms: [], content_types: [] }
  for (let count = 0; count < 21; count += 1) await api('POST', CALL, body)
  await page.goto('/narratives_vectorization')
  await expect(runs(page).locator('tbody tr')).toHaveCount(20)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL('/narratives_vectorization?page=2')
  await expect(page.getByText(/^21–/)).toBeVisible()
})

test('after an expired session, signing in again in place triggers the run', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const narrative = newNarrative()
  await seedStories(page, watchdesk, rowsOf(narrative, 1))
  await page.goto(`/narratives_vectorization?narrative_id=${narrative}`)
  await expect(runs(page).or(page.getByText('No runs yet.'))).toBeVisible()
  await watchdesk.session.end()
  await triggerButton(page).click()
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
  await password(page).fill(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect(trigger(page).getByRole('status')).toContainText('was triggered')
})

test.describe('another backend', () => {
  const DATED = '2026-11-15 09:30:00.123456+00:00'
  const STATUS = `GET ${CALL}/${encodeURIComponent(DATED)}`

  test.beforeEach(async ({ page, otherBackend }) => {
    await storeToken(page, otherBackend.url, 'any')
    const body = { id: 1, first_name: 'Iryna', last_name: 'Shevchuk', email: 'i@example.com', is_super_admin: true }
    otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body }
  })

  for (const [what, code] of [
    ['knows no such list', 404],
    ['knows the address for triggers alone', 405],
  ] as const) {
    test(`no list is shown where the server ${what}; the cards work`, async ({ page, otherBackend, faults }) => {
      faults.allow(REFUSED)
      otherBackend.responses[`GET ${CALL}`] = { status: code, body: { detail: 'Not Found' } }
      const detail = [
        { loc: ['body', 'narrative_id'], msg: 'Input should be greater than 10', type: 'greater_than' },
        { loc: ['body', 'platforms'], msg: 'Field required', type: 'missing' },
      ]
      otherBackend.responses[`POST ${CALL}`] = { status: 422, body: { detail } }
      const responded = page.waitForResponse((response) => response.url().endsWith(CALL))
      await page.goto(`${otherBackend.url}/narratives_vectorization`)
      await responded
      await expect(page.getByRole('heading', { name: 'Recent runs' })).toHaveCount(0)
      await narrativeId(page).fill('7')
      await triggerButton(page).click()
      const red = trigger(page).getByRole('alert')
      await expect(red).toHaveText('Input should be greater than 10\nField required')
      expect(await red.innerText()).toBe('Input should be greater than 10\nField required')

      otherBackend.responses[`POST ${CALL}`] = { status: 200, body: { execution_date: DATED } }
      otherBackend.responses[STATUS] = { status: 200, body: { status: 'up_for_retry' } }
      await triggerButton(page).click()
      await expect(executionDate(page)).toHaveValue(DATED)
      await expect(red).toHaveCount(0)
      await statusButton(page).click()
      await expect(shownStatus(page)).toContainText('up_for_retry')
    })
  }

  test('the reason of a failed run can be read in full, in the list too', async ({ page, otherBackend }) => {
    const error = `The embedding service refused the stories ${'again and again '.repeat(20)}and then gave a reason.`
    const run = {
      ...{ id: 1, narrative_id: 7, status: 'failed', error, model: 'lexical', platforms: [], content_types: [] },
      ...{ stories_count: 3, done_count: 0, execution_date: DATED, created_by: null },
      ...{ created_at: '2026-11-15T09:30:00.000Z', started_at: null, finished_at: null },
    }
    otherBackend.responses[`GET ${CALL}`] = { status: 200, body: { objects: [run], total: 1, size: 20 } }
    await page.goto(`${otherBackend.url}/narratives_vectorization`)
    const reason = page.getByRole('button', { name: 'and then gave a reason.' })
    const isWhole = () => reason.evaluate((node) => node.scrollWidth <= node.clientWidth)
    await expect(reason).toHaveAttribute('aria-expanded', 'false')
    expect(await isWhole()).toBe(false)
    await reason.press('Enter')
    await expect(reason).toHaveAttribute('aria-expanded', 'true')
    expect(await isWhole()).toBe(true)
  })

  test('a run is polled only while it is in progress and the page is visible', async ({ page, otherBackend }) => {
    await page.clock.install()
    const run = {
      id: 1,
      execution_date: DATED,
      narrative_id: 7,
      platforms: [],
      content_types: [],
      model: 'small',
      status: 'running',
      runner: 'server',
      stories_count: 4000,
      done_count: 1000,
      error: null,
      created_by: null,
      created_at: '2026-11-15T09:30:00.000Z',
      started_at: '2026-11-15T09:30:00.000Z',
      finished_at: null,
    } satisfies Run
    const respond = (changes: Partial<Run>) => {
      otherBackend.responses[`GET ${CALL}`] = {
        status: 200,
        body: { objects: [{ ...run, ...changes }], total: 1, size: 20 },
      }
    }
    const asked = async () => {
      // By then, every earlier call has arrived.
      await page.evaluate(() => fetch('/api/v1/users/me').then(() => {}))
      return otherBackend.calls.filter(({ call }) => call === `GET ${CALL}`).length
    }
    respond({})
    await page.goto(`${otherBackend.url}/narratives_vectorization`)
    const bar = page.getByRole('progressbar', { name: 'Progress of narrative 7' })
    await expect(bar).toHaveAttribute('aria-valuenow', '25')
    respond({ done_count: 3000 })
    await page.clock.runFor(2_000)
    await expect(bar).toHaveAttribute('aria-valuenow', '75')
    await expect(runs(page)).toContainText('3,000 of 4,000')

    await see(page, 'hidden')
    const before = await asked()
    await page.clock.runFor(10_000)
    expect(await asked()).toBe(before)

    respond({ status: 'failed', error: 'The model is gone.', finished_at: '2026-11-15T09:31:10.000Z' })
    await see(page, 'visible')
    await page.clock.runFor(2_000)
    await expect(runs(page)).toContainText('The model is gone.')
    await expect(runs(page)).toContainText('1 min 10 s')
    const last = await asked()
    await page.clock.runFor(10_000)
    expect(await asked()).toBe(last)

    otherBackend.responses[STATUS] = { status: 200, body: { status: 'failed' } }
    await page.getByRole('button', { name: `Show the status of ${DATED}` }).click()
    await expect(status(page)).toContainText('The model is gone.')
  })
})

/** Simulates switching to another tab and back. */
function see(page: Page, state: 'hidden' | 'visible') {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

test('works with the keyboard only', async ({ page, watchdesk }) => {
  const narrative = newNarrative()
  await seedStories(page, watchdesk, rowsOf(narrative, 1))
  await page.goto('/narratives_vectorization')
  await narrativeId(page).focus()
  await page.keyboard.type(String(narrative))
  await page.keyboard.press('Tab')
  await page.keyboard.type('tele')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const chosen = trigger(page).locator('.mantine-MultiSelect-pill')
  await expect(chosen).toHaveText('TELEGRAM')
  // A name typed in full is only chosen.
  await page.keyboard.type('facebook')
  await page.keyboard.press('Enter')
  await expect(chosen).toHaveText(['TELEGRAM', 'FACEBOOK'])
  await expect(page.getByRole('combobox', { name: 'Platforms' })).toHaveValue('')
  await expect(trigger(page).getByText('was triggered')).toHaveCount(0)
  await narrativeId(page).focus()
  await page.keyboard.press('Enter')
  await expect(trigger(page).getByRole('status')).toContainText('was triggered')
  await executionDate(page).focus()
  await page.keyboard.press('Enter')
  await expect(shownStatus(page)).toContainText(/queued|running|success/)
})

test('axe finds nothing in either scheme, at either width', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const narrative = newNarrative()
  await seedStories(page, watchdesk, rowsOf(narrative, 1), true)
  await page.goto('/narratives_vectorization')
  await triggerButton(page).click()
  await statusButton(page).click()
  await page.getByText('Execution date is required').waitFor()
  await page
    .getByRole('button', { name: /^Show the status of/ })
    .first()
    .waitFor()
  await expectAccessible(page)
  await narrativeId(page).fill(String(narrative))
  await choose(page, 'Platforms', ['VK'])
  await triggerButton(page).click()
  await trigger(page).getByText('was triggered').waitFor()
  await statusButton(page).click()
  await status(page).getByText('Status', { exact: true }).waitFor()
  await expectAccessible(page)
})
