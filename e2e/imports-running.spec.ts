import type { Import } from '@watchdesk/contract/imports'
import { expectAccessible } from './accessible.ts'
import { button, dialog, result } from './imports-page.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'

const ME = { id: 1, first_name: 'Vera', last_name: 'Moroz', email: 'vera@example.com', is_super_admin: true }

const RUNNING: Import = {
  id: 7,
  kind: 'source_import',
  name: 'large.csv',
  state: 'running',
  bytes: 20_480_000,
  platform: null,
  sheet_url: null,
  created_sheet_url: null,
  counts: {},
  rows_count: null,
  skipped_count: 0,
  verification: null,
  error: null,
  summary: null,
  created_at: '2026-11-17T01:00:00.000Z',
  created_by: { id: 1, name: 'Vera Moroz' },
  started_at: '2026-11-17T01:00:00.000Z',
  finished_at: null,
  undoes: null,
  is_redo: false,
  origin_kind: 'source_import',
  undone: null,
  undoing: null,
  can_undo: false,
  job_id: 3,
  progress: { step: 'storing', done: 25_000, total: 100_000 },
}

const ONE = 'GET /api/v1/imports/7'
const LIST = 'GET /api/v1/imports/'

test.beforeEach(async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  faults.allow(BROKEN)
  await storeToken(page, otherBackend.url, 'any')
  otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body: ME }
  otherBackend.responses[ONE] = { status: 200, body: RUNNING }
  otherBackend.responses[LIST] = { status: 200, body: { objects: [RUNNING], total: 1, size: 20 } }
})

test('a running import shows its step, count, rate and time left, and ends by itself', async ({
  page,
  otherBackend,
}) => {
  await page.goto(`${otherBackend.url}/imports/7`)
  const bar = page.getByRole('progressbar', { name: 'Progress of large.csv' })
  await expect(bar).toHaveAttribute('aria-valuenow', '25')
  await expect(result(page)).toContainText('Storing the rows')
  await expect(result(page)).toContainText('25,000 of 100,000')
  await expect(result(page)).toContainText('You can leave this page.')
  await expectAccessible(page)
  const progress = { step: 'storing', done: 50_000, total: 100_000 }
  otherBackend.responses[ONE] = { status: 200, body: { ...RUNNING, progress } }
  await expect(bar).toHaveAttribute('aria-valuenow', '50')
  await expect(result(page)).toContainText(/50,000 of 100,000 rows · [\d,]+ rows per second · about .* left/)

  const done = { ...RUNNING, state: 'done', progress: null, counts: { requested: 100_000 }, can_undo: true }
  otherBackend.responses[ONE] = { status: 200, body: done }
  await expect(result(page)).toContainText('100,000 of 100,000 rows added')
  await expect(button(page, 'Undo import')).toBeVisible()
})

test('a running import is cancelled after a question', async ({ page, otherBackend }) => {
  const CANCEL = 'POST /api/v1/jobs/3/cancel'
  otherBackend.responses[CANCEL] = { status: 409, body: { detail: 'It has just ended.' } }
  await page.goto(`${otherBackend.url}/imports/7`)
  await button(page, 'Cancel').click()
  await button(page, 'Keep importing').click()
  await expect(dialog(page)).toHaveCount(0)
  expect(otherBackend.calls.filter(({ call }) => call === CANCEL)).toHaveLength(0)
  await button(page, 'Cancel').click()
  await button(page, 'Cancel import').click()
  await expect(page.getByText('It has just ended.')).toBeVisible()
  otherBackend.responses[CANCEL] = { status: 200, body: {} }
  await button(page, 'Cancel').click()
  await button(page, 'Cancel import').click()
  await expect.poll(() => otherBackend.calls.filter(({ call }) => call === CANCEL).length).toBe(2)
  otherBackend.responses[ONE] = { status: 200, body: { ...RUNNING, state: 'cancelled', progress: null } }
  await expect(result(page)).toContainText('Cancelled. Nothing was changed.')
})

test('failed and cancelled imports look different without colors too', async ({ page, otherBackend }) => {
  const failed = { ...RUNNING, state: 'failed', progress: null, error: 'The disk is full.' }
  otherBackend.responses[ONE] = { status: 200, body: failed }
  await page.goto(`${otherBackend.url}/imports/7`)
  await expect(result(page)).toContainText('Failed. Nothing was changed.The disk is full.')
  const icon = () => result(page).locator('svg').first().getAttribute('class')
  const alert = await icon()
  otherBackend.responses[ONE] = { status: 200, body: { ...failed, state: 'cancelled', error: null } }
  await page.reload()
  await expect(result(page)).toContainText('Cancelled. Nothing was changed.')
  expect(await icon()).not.toBe(alert)
  await expectAccessible(page)
})

test('the list is read again while an import runs, and no longer', async ({ page, otherBackend }) => {
  await page.goto(`${otherBackend.url}/imports`)
  await expect(page.getByRole('row').nth(1)).toContainText('Storing the rows: 25,000 of 100,000')
  const differs = { expected_count: 3, stored_count: 2, is_equal: false, checksum: 'a', at: RUNNING.created_at }
  const done = { ...RUNNING, state: 'done', progress: null, counts: { requested: 3 }, verification: differs }
  otherBackend.responses[LIST] = { status: 200, body: { objects: [done], total: 1, size: 20 } }
  await expect(page.getByRole('row').nth(1)).toContainText('3 added')
  await expect(page.getByRole('row').nth(1)).toContainText('Differs')
  otherBackend.responses[ONE] = { status: 200, body: done }
  await page.getByRole('link', { name: 'large.csv' }).click()
  await expect(result(page)).toContainText('Not verified: 2 of 3 stored')
})

test('a backend without imports has no menu entry for them', async ({ page, otherBackend }) => {
  otherBackend.responses[LIST] = { status: 404, body: { detail: 'Not Found' } }
  otherBackend.responses['GET /api/v1/audit/'] = { status: 200, body: { objects: [], next: null, newest: '0-0' } }
  otherBackend.responses['GET /api/v1/users/'] = { status: 200, body: { objects: [], total: 0, size: 20 } }
  await page.goto(`${otherBackend.url}/users`)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Imports' })).toHaveCount(0)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Activity' })).toBeVisible()
})
