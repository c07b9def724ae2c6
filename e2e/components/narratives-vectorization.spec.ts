import type { Page } from '@playwright/test'
import {
  listRuns,
  type Run,
  vectorizationStatus,
  vectorizeNarrative,
} from '@watchdesk/contract/narratives-vectorization'
import { expectAccessible } from '../accessible.ts'
import {
  executionDate,
  narrativeId,
  runs,
  shownStatus,
  status,
  statusButton,
  trigger,
  triggerButton,
} from '../vectorization-page.ts'
import { Refusal } from './backend.ts'
import { answerList, expect, test } from './test.ts'

const DATE = '2026-11-15T09:30:00.000Z'
/** As another backend writes it. */
const DATED = '2026-11-15 09:30:00.123456+00:00'
const ADDRESS = '/narratives_vectorization'
const NO_TIME = 'Enter the execution date in this format: 2026-11-15T09:30:00.000Z.'

function aRun(fields: Partial<Run> = {}): Run {
  return {
    id: 1,
    execution_date: DATE,
    narrative_id: 7,
    platforms: [],
    content_types: [],
    model: 'small',
    status: 'success',
    runner: 'server',
    stories_count: 4000,
    done_count: 4000,
    error: null,
    created_by: null,
    created_at: DATE,
    started_at: DATE,
    finished_at: null,
    ...fields,
  }
}

test('each message of the two cards', async ({ page, backend, open }) => {
  backend.refuse(vectorizeNarrative, 404, 'Narrative not found.')
  const loc = ['path', 'execution_date']
  backend.answer(vectorizationStatus, ({ params }) =>
    params.execution_date?.startsWith('2020')
      ? new Refusal(404, 'Vectorization run not found.')
      : new Refusal(422, [{ loc, msg: NO_TIME, type: 'value_error' }]),
  )
  await open(ADDRESS)
  await expect(page).toHaveTitle('Narratives vectorization · Watchdesk')
  await triggerButton(page).click()
  await expect(narrativeId(page)).toHaveAccessibleDescription('Narrative id is required')
  await expect(narrativeId(page)).toBeFocused()
  for (const wrong of ['1.5', '2147483648']) {
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
  expect(backend.calls(vectorizeNarrative)).toHaveLength(1)

  await statusButton(page).click()
  await expect(executionDate(page)).toHaveAccessibleDescription(/^Execution date is required/)
  await expect(executionDate(page)).toBeFocused()
  for (const wrong of ['yesterday', '../../users/me']) {
    await executionDate(page).fill(wrong)
    await statusButton(page).click()
    await expect(status(page).getByRole('alert')).toHaveText(NO_TIME)
  }
  await executionDate(page).fill(' 2020-01-01T00:00:00.000Z ')
  await statusButton(page).click()
  await expect(status(page).getByRole('alert')).toHaveText('Vectorization run not found.')
  await expect(status(page).getByRole('alert')).toHaveCSS('color', 'rgb(180, 35, 24)')
  const asked = backend.calls(vectorizationStatus).map(({ params }) => decodeURIComponent(params.execution_date ?? ''))
  expect(asked).toEqual(['yesterday', '../../users/me', '2020-01-01T00:00:00.000Z'])
})

test('requesting the status of the same run again shows the new one, or an error at once', async ({
  page,
  backend,
  open,
}) => {
  answerList(backend, listRuns, [aRun()])
  await open(ADDRESS)
  await executionDate(page).fill(DATE)
  let ended = 0
  page.on('requestfailed', () => {
    ended += 1
  })
  for (const state of ['success', 'failed']) {
    backend.answer(vectorizationStatus, { status: state })
    await statusButton(page).click()
    await expect(shownStatus(page)).toContainText(state)
  }

  backend.refuse(vectorizationStatus, 503, 'Airflow cannot be reached.')
  await statusButton(page).click()
  await expect(status(page).getByRole('alert')).toHaveText('Airflow cannot be reached.')
  await expect(shownStatus(page)).toHaveCount(0)
  expect([backend.calls(vectorizationStatus).length, ended]).toEqual([3, 0])

  backend.answer(vectorizationStatus, { status: 'running' })
  await statusButton(page).click()
  await expect(shownStatus(page)).toContainText('running')
  await expect(status(page).getByRole('alert')).toHaveCount(0)
  // The first failed poll is shown too. A retry would get no response.
  let isFirst = true
  backend.answer(vectorizationStatus, () => {
    if (!isFirst) return new Promise<Refusal>(() => {})
    isFirst = false
    return new Refusal(503, 'Airflow cannot be reached.')
  })
  await expect(status(page).getByRole('alert')).toHaveText('Airflow cannot be reached.')
})

test('no list is shown where the server has none; the cards work', async ({ page, backend, open }) => {
  backend.refuse(vectorizeNarrative, 422, [
    { loc: ['body', 'narrative_id'], msg: 'Input should be greater than 10', type: 'greater_than' },
    { loc: ['body', 'platforms'], msg: 'Field required', type: 'missing' },
  ])
  // It knows no such list, or the address for triggers alone.
  for (const code of [404, 405]) {
    backend.refuse(listRuns, code, 'Not Found')
    const responded = page.waitForResponse((response) => response.url().endsWith(listRuns.url))
    await open(ADDRESS)
    await responded
    await expect(page.getByRole('heading', { name: 'Recent runs' })).toHaveCount(0)
  }
  await narrativeId(page).fill('7')
  await triggerButton(page).click()
  const red = trigger(page).getByRole('alert')
  await expect(red).toHaveText('Input should be greater than 10\nField required')
  expect(await red.innerText()).toBe('Input should be greater than 10\nField required')

  backend.raw(vectorizeNarrative, 200, { execution_date: DATED })
  backend.answer(vectorizationStatus, ({ params }) =>
    params.execution_date === encodeURIComponent(DATED) ? { status: 'up_for_retry' } : new Refusal(404),
  )
  await triggerButton(page).click()
  await expect(executionDate(page)).toHaveValue(DATED)
  await expect(red).toHaveCount(0)
  await statusButton(page).click()
  await expect(shownStatus(page)).toContainText('up_for_retry')
})

test('runs are paged like every list, and the reason of a failed one can be read in full', async ({
  page,
  backend,
  open,
}) => {
  const error = `The embedding service refused the stories ${'again and again '.repeat(20)}and then gave a reason.`
  const others = Array.from({ length: 20 }, (_, index) => aRun({ id: index + 2 }))
  answerList(backend, listRuns, [...others, aRun({ status: 'failed', error, started_at: null })])
  await open(ADDRESS)
  await expect(runs(page).locator('tbody tr')).toHaveCount(20)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(`${ADDRESS}?page=2`)
  const reason = page.getByRole('button', { name: 'and then gave a reason.' })
  const isWhole = () => reason.evaluate((node) => node.scrollWidth <= node.clientWidth)
  await expect(reason).toHaveAttribute('aria-expanded', 'false')
  expect(await isWhole()).toBe(false)
  await reason.press('Enter')
  await expect(reason).toHaveAttribute('aria-expanded', 'true')
  expect(await isWhole()).toBe(true)
})

test('a run is polled only while it is in progress and the page is visible', async ({ page, backend, open }) => {
  await page.clock.install()
  const asked = async () => {
    // By then, every earlier call has arrived.
    await page.evaluate(() => fetch('/api/v1/users/me').then(() => {}))
    return backend.calls(listRuns).length
  }
  answerList(backend, listRuns, [aRun({ status: 'running', done_count: 1000 })])
  await open(ADDRESS)
  const bar = page.getByRole('progressbar', { name: 'Progress of narrative 7' })
  await expect(bar).toHaveAttribute('aria-valuenow', '25')
  answerList(backend, listRuns, [aRun({ status: 'running', done_count: 3000 })])
  await page.clock.runFor(2_000)
  await expect(bar).toHaveAttribute('aria-valuenow', '75')
  await expect(runs(page)).toContainText('3,000 of 4,000')

  await see(page, 'hidden')
  const before = await asked()
  await page.clock.runFor(10_000)
  expect(await asked()).toBe(before)

  const error = 'The model is gone.'
  answerList(backend, listRuns, [aRun({ status: 'failed', error, finished_at: '2026-11-15T09:31:10.000Z' })])
  await see(page, 'visible')
  await page.clock.runFor(2_000)
  await expect(runs(page)).toContainText(error)
  await expect(runs(page)).toContainText('1 min 10 s')
  const last = await asked()
  await page.clock.runFor(10_000)
  expect(await asked()).toBe(last)

  backend.answer(vectorizationStatus, { status: 'failed' })
  await page.getByRole('button', { name: `Show the status of ${DATE}` }).click()
  await expect(status(page)).toContainText(error)
})

/** Simulates switching to another tab and back. */
function see(page: Page, state: 'hidden' | 'visible') {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
}

test('works with the keyboard only', async ({ page, backend, open }) => {
  answerList(backend, listRuns, [aRun()])
  backend.answer(vectorizeNarrative, { execution_date: DATE })
  backend.answer(vectorizationStatus, { status: 'queued' })
  await open(ADDRESS)
  await narrativeId(page).focus()
  await page.keyboard.type('7')
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
  expect(backend.calls(vectorizeNarrative)).toEqual([])
  await narrativeId(page).focus()
  await page.keyboard.press('Enter')
  await expect(trigger(page).getByRole('status')).toContainText('was triggered')
  await executionDate(page).focus()
  await page.keyboard.press('Enter')
  await expect(shownStatus(page)).toContainText('queued')
  await expectAccessible(page.getByRole('main'))
})
