import { WORKSPACE_STATUSES } from '@watchdesk/contract/enums'
import { type AttentionName, listOf, type Overview } from '@watchdesk/contract/overview'
import type { Page } from '@watchdesk/contract/page'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const query = (text: string, values: unknown[] = []) => watchdesk.database.pool.query(text, values)
const URLS = { workspaces: 'workspaces/', users: 'users/', imports: 'imports/', runs: 'airflow/vectorize-narrative' }

beforeEach(async () => {
  await query('truncate operations, vectorization_runs, failed_sign_ins cascade')
  await query('delete from users where id > 1')
  await query('delete from workspaces where id > 1')
  await query(`insert into narratives (id) values (1) on conflict do nothing`)
})

async function readOverview() {
  return (await watchdesk.admin<Overview>('GET', '/api/v1/overview/')).body
}

async function totalOf(name: AttentionName, today: string) {
  const { list, filter } = listOf(name, today)
  const params = Object.entries(filter).map(([key, value]) => `${key}=${value}`)
  const url = `/api/v1/${URLS[list]}?${params.join('&')}`
  const { status, body } = await watchdesk.admin<Page<unknown>>('GET', url)
  expect(status, url).toBe(200)
  return body.total
}

/** A day relative to today, in UTC. */
function day(offset: number) {
  return new Date(Date.now() + offset * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

type Made<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never
const offset = fc.integer({ min: -40, max: 40 })
const quota = fc.record({
  limit: fc.constantFrom(0, 1, 50, 100),
  balance: fc.integer({ min: 0, max: 12 }),
  due: offset,
})
const workspace = fc.record({
  status: fc.constantFrom(null, ...WORKSPACE_STATUSES, 'TRIAL' as const, 'TRIAL' as const),
  trial: offset,
  analytical: quota,
  ai: quota,
  user: fc.constantFrom('none', 'ordinary', 'admin', 'super_admin', 'deleted_admin'),
  isDeleted: fc.boolean(),
})
const failed = fc.record({ state: fc.constantFrom('done', 'failed', 'failed', 'running'), days: fc.nat(12) })
const locked = fc.constantFrom(0, 9, 10, 200)

async function insertWorkspace(given: Made<typeof workspace>, serial: number) {
  const json = ({ due, ...amounts }: Made<typeof quota>) =>
    JSON.stringify({ ...amounts, renewal_date: `${day(due)}T00:00:00` })
  const { rows } = await query(
    `insert into workspaces (name, description, status, trial_end_date, analytical_quota, ai_quota, config, deleted_at)
      select $1, '', $2, $3, $4, $5, config, case when $6 then now() end from workspaces where id = 1 returning id`,
    [`Workspace ${serial}`, given.status, day(given.trial), json(given.analytical), json(given.ai), given.isDeleted],
  )
  if (given.user !== 'none') await insertUser(rows[0].id, `person${serial}@example.com`, given.user)
}

async function insertUser(workspace_id: number, email: string, kind = 'ordinary') {
  const { rows } = await query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language,
        deleted_at) values ($1, 'A', 'B', $2, '-', $3, $4, 'STANDARD', '', case when $5 then now() end) returning id`,
    [
      workspace_id,
      email,
      kind.endsWith('_admin') || kind === 'admin',
      kind === 'super_admin',
      kind === 'deleted_admin',
    ],
  )
  return rows[0].id
}

async function insertFailures(failures: number, serial: number) {
  const email = `locked${serial}@example.com`
  const id = await insertUser(1, email)
  await query(
    `insert into failed_sign_ins (email_hash, network, failures, pending, changed_at, user_id)
      values (sha256($1::bytea), '::1', $2, 0, now(), $3)`,
    [email, failures, id],
  )
}

const insertImport = ({ state, days }: Made<typeof failed>) =>
  query(
    `insert into operations (kind, state, error, created_at) values ('export', $1, 'Broken', now() - $2 * interval '1 day')`,
    [state, days],
  )

const insertRun = ({ state, days }: Made<typeof failed>, serial: number) =>
  query(
    `insert into vectorization_runs (execution_date, narrative_id, platforms, content_types, model, status, runner, created_at)
      values (now() + $1 * interval '1 second', 1, '{}', '{}', 'lexical', $2, 'server', now() - $3 * interval '1 day')`,
    [serial, state === 'done' ? 'success' : state, days],
  )

test('every number is the total of the list that it leads to, whatever there is', async () => {
  const seen = new Set<string>()
  const data = fc.record({
    workspaces: fc.array(workspace, { minLength: 20, maxLength: 40 }),
    imports: fc.array(failed, { minLength: 4, maxLength: 12 }),
    runs: fc.array(failed, { minLength: 4, maxLength: 12 }),
    locked: fc.array(locked, { minLength: 3, maxLength: 6 }),
  })
  await fc.assert(
    fc
      .asyncProperty(data, async (given) => {
        for (const [serial, each] of given.workspaces.entries()) await insertWorkspace(each, serial)
        for (const each of given.imports) await insertImport(each)
        for (const [serial, each] of given.runs.entries()) await insertRun(each, serial)
        for (const [serial, each] of given.locked.entries()) await insertFailures(each, serial)
        const { attention, today } = await readOverview()
        const names = Object.keys(attention) as AttentionName[]
        const totals = await Promise.all(names.map((name) => totalOf(name, today)))
        expect(attention).toEqual(Object.fromEntries(names.map((name, index) => [name, totals[index]])))
        for (const name of names) if (attention[name] > 0) seen.add(name)
      })
      .beforeEach(async () => {
        await query('truncate operations, vectorization_runs, failed_sign_ins cascade')
        await query('delete from users where id > 1')
        await query('delete from workspaces where id > 1')
      }),
    { numRuns: 8 },
  )
  // Otherwise nothing was compared.
  expect(seen.size).toBe(12)
})

test('the first records of a group are those to look at first', async () => {
  const quotaWith = (balance: number, due = 20) => ({ limit: 100, balance, renewal_date: `${day(due)}T00:00:00` })
  const full = { analytical_quota: quotaWith(100), ai_quota: quotaWith(100) }
  await query(`update workspaces set analytical_quota = $1, ai_quota = $1`, [JSON.stringify(quotaWith(100))])
  const make = async (name: string, fields: object) => {
    const { id } = await watchdesk.createWorkspace({ name, ...full, ...fields })
    await watchdesk.createUser({ workspace_id: id, is_admin: true })
    return id
  }
  for (const end of [25, -3, 2, 40, 6])
    await make(`Ends in ${end}`, { status: 'TRIAL', trial_end_date: `${day(end)}T00:00:00` })
  await make('Low', { ai_quota: quotaWith(7) })
  await make('Used up', { ai_quota: quotaWith(0) })
  await make('Overdue', { analytical_quota: quotaWith(100, -2) })
  await watchdesk.createWorkspace({ name: 'Nobody', ...full })
  await insertImport({ state: 'failed', days: 1 })
  const { attention, first } = await readOverview()
  expect(attention).toEqual({
    trials_ended: 1,
    trials_within_7: 2,
    trials_within_30: 3,
    analytical_used_up: 0,
    analytical_low: 0,
    ai_used_up: 1,
    ai_low: 2,
    renewals_overdue: 1,
    without_admin: 1,
    imports_failed: 1,
    runs_failed: 0,
    users_locked: 0,
  })
  expect(first.trials.map(({ name, day }) => [name, day])).toEqual([
    ['Ends in -3', day(-3)],
    ['Ends in 2', day(2)],
    ['Ends in 6', day(6)],
  ])
  expect(first.ai.map(({ name, left }) => [name, left])).toEqual([
    ['Used up', 0],
    ['Low', 7],
  ])
  expect(first.renewals).toMatchObject([{ name: 'Overdue', day: day(-2), left: null, detail: null }])
  expect(first.without_admin).toMatchObject([{ name: 'Nobody' }])
  expect(first.imports).toMatchObject([{ name: 'export', detail: 'Broken' }])
  expect([first.analytical, first.runs, first.users]).toEqual([[], [], []])
})

test('an account that was locked by wrong passwords is counted until it is unlocked', async () => {
  const user = await watchdesk.createUser({})
  for (let attempt = 0; attempt < 10; attempt += 1)
    await watchdesk.anonymous('POST', '/api/v1/login', { email: user.email, password: `${PASSWORD}?` })
  const { attention, first } = await readOverview()
  expect(attention.users_locked).toBe(1)
  expect(first.users).toMatchObject([{ id: user.id, detail: user.email }])
  await query('delete from failed_sign_ins')
  expect((await readOverview()).attention.users_locked).toBe(0)
})
