import type { Workspace } from '@watchdesk/contract/workspaces'
import * as fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { waitFor } from '../../../test/helpers/locks.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { connect, type Database } from '../../db/open.ts'
import { renewQuotas } from './renew-quotas.ts'

/** `FUZZ_RUNS=1000` runs more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 20)
const KINDS = ['analytical_quota', 'ai_quota'] as const
type Kind = (typeof KINDS)[number]
type Quota = Workspace[Kind]

const watchdesk = useWatchdesk()
/** A second server on the same database. */
let second: Database

beforeAll(() => {
  second = connect(connection(), { DATABASE_POOL_SIZE: 2, STATEMENT_TIMEOUT_MS: 10_000 })
})
afterAll(() => second.close())

function connection() {
  return { ...inject('postgres'), database: watchdesk.database.pool.options.database }
}

/** Days since 2026-01-01. */
const day = fc.integer({ min: 0, max: 800 })
const quota = fc.record({ day, limit: fc.nat(1000), balance: fc.nat(1000) })
const workspaces = fc.array(fc.record({ analytical_quota: quota, ai_quota: quota }), { minLength: 1, maxLength: 6 })
const which = fc.nat(5)
const step = fc.oneof(
  // Clocks that jump ahead by up to a year, and back.
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('clock'), days: fc.integer({ min: -60, max: 400 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('day'), days: fc.integer({ min: 0, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set date'), which, name: fc.constantFrom(...KINDS), day }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('save'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore'), which }) },
  // A server that dies before one of its statements is sent.
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('death'),
      days: fc.integer({ min: 10, max: 60 }),
      statement: fc.integer({ min: 1, max: 12 }),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const counts = { renewals: 0, deaths: 0, 'caught up': 0 }
afterAll(() => console.log(`Renewals of the model: ${JSON.stringify(counts)}`))

test('whatever the clock and the servers do, each quota is renewed once on each date, and moves on to the right one', {
  timeout: 600_000,
}, async () => {
  const property = fc.asyncProperty(workspaces, fc.array(step, { minLength: 4, maxLength: 14 }), simulate)
  await fc.assert(property, { numRuns: RUNS, seed: process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : undefined })
  expect(counts.renewals).toBeGreaterThan(RUNS)
  expect(counts.deaths).toBeGreaterThan(RUNS / 10)
})

/** What must be true of a quota: its value after the last change, and the day of the month of the date that was set. */
type Model = { id: number; version: number } & Record<Kind, { value: Quota; day: number }>

async function simulate(given: Record<Kind, { day: number; limit: number; balance: number }>[], steps: Step[]) {
  await watchdesk.database.pool.query('delete from workspaces where id > 1')
  await watchdesk.database.pool.query(
    `update workspaces set ai_quota = ai_quota || '{"renewal_date": "2099-01-01T00:00:00"}',
      analytical_quota = analytical_quota || '{"renewal_date": "2099-01-01T00:00:00"}'`,
  )
  const models: Model[] = []
  for (const quotas of given) models.push(await create(quotas))
  let today = 200
  for (const each of steps) {
    if ('days' in each) today = Math.max(0, today + Number(each.days))
    else await change(models, each)
    if (each.kind === 'death') await dieWhileRenewing(models, Number(Reflect.get(each, 'statement')), dateOf(today))
    await renewTwice(models, dateOf(today))
  }
}

async function create(quotas: Record<Kind, { day: number; limit: number; balance: number }>): Promise<Model> {
  const [analytical_quota, ai_quota] = KINDS.map((kind) => {
    const { limit, balance } = quotas[kind]
    return { limit, balance, renewal_date: `${dateOf(quotas[kind].day)}T00:00:00` }
  }) as [Quota, Quota]
  const { id } = await watchdesk.createWorkspace({ analytical_quota, ai_quota })
  return {
    id,
    version: 1,
    analytical_quota: { value: analytical_quota, day: dayOf(analytical_quota.renewal_date) },
    ai_quota: { value: ai_quota, day: dayOf(ai_quota.renewal_date) },
  }
}

/** What people do meanwhile. */
async function change(models: Model[], each: Step) {
  const model = models[Number(Reflect.get(each, 'which')) % models.length]
  if (!model) return
  const url = `/api/v1/workspaces/${model.id}`
  if (each.kind === 'delete') {
    if ((await watchdesk.admin('DELETE', url)).status === 204) model.version += 1
  } else if (each.kind === 'restore') {
    if ((await watchdesk.admin('POST', `${url}/restore`)).status === 200) model.version += 1
  } else if (each.kind === 'save' || each.kind === 'set date') {
    const kind = (Reflect.get(each, 'name') as Kind | undefined) ?? 'ai_quota'
    const { value } = model[kind]
    const date = each.kind === 'save' ? value.renewal_date : `${dateOf(Number(Reflect.get(each, 'day')))}T00:00:00`
    const quotas = { analytical_quota: model.analytical_quota.value, ai_quota: model.ai_quota.value }
    const body = { name: `Saved ${model.version}`, ...quotas, [kind]: { ...value, renewal_date: date } }
    if ((await watchdesk.admin('PUT', url, body)).status !== 200) return
    model.version += 1
    if (date !== value.renewal_date) model[kind] = { value: { ...value, renewal_date: date }, day: dayOf(date) }
  }
}

/** Two servers at the same time. */
async function renewTwice(models: Model[], today: string) {
  const before = await lastEvent()
  await Promise.all([renewQuotas(watchdesk.database.db, today), renewQuotas(second.db, today)])
  await checkRenewals(models, today, before)
  await checkState(models, today)
}

/** One server dies, while another one works. What the first one has not committed is due again. */
async function dieWhileRenewing(models: Model[], statement: number, today: string) {
  const before = await lastEvent()
  const dying = connect(connection(), { DATABASE_POOL_SIZE: 1, STATEMENT_TIMEOUT_MS: 10_000 }, dyingClient(statement))
  const outcomes = await Promise.allSettled([renewQuotas(dying.db, today), renewQuotas(second.db, today)])
  expect(outcomes[1].status).toBe('fulfilled')
  if (outcomes[0].status === 'rejected') counts.deaths += 1
  await dying.close()
  // Its locks are there until PostgreSQL notices.
  await waitFor(watchdesk.database.pool, `not exists (select from pg_stat_activity where application_name = 'dying')`)
  await checkRenewals(models, today, before)
}

/** Loses its connection instead of sending that statement. */
function dyingClient(statement: number): typeof pg.Client {
  let sent = 0
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, application_name: 'dying' })
    }
    // biome-ignore lint/suspicious/noExplicitAny: pg's query has many signatures
    override query(...given: any[]): any {
      sent += 1
      if (sent >= statement) void this.end()
      return super.query(...(given as [string]))
    }
  } as unknown as typeof pg.Client
}

/** Each event continues from what was there, and is right for that day. */
async function checkRenewals(models: Model[], today: string, since: number) {
  const { rows } = await watchdesk.database.pool.query<{
    entity_id: number
    version: number
    changes: Partial<Record<Kind, { before: Quota; after: Quota }>>
  }>(`select entity_id, version, changes from audit_events where id > $1 and action = 'renew' order by id`, [since])
  for (const { entity_id, version, changes } of rows) {
    const model = models.find(({ id }) => id === entity_id)
    if (!model) throw new Error(`Workspace ${entity_id} is not part of the test`)
    model.version += 1
    expect(version).toBe(model.version)
    for (const kind of KINDS) {
      const { value, day } = model[kind]
      const change = changes[kind]
      if (!change) continue
      expect(change.before).toEqual(value)
      expect(value.renewal_date.slice(0, 10) <= today).toBe(true)
      const next = nextByHand(value.renewal_date.slice(0, 10), day, today)
      expect(change.after).toEqual({ limit: value.limit, balance: value.limit, renewal_date: `${next}T00:00:00` })
      model[kind] = { value: change.after, day }
      counts.renewals += 1
      if (monthsBetween(value.renewal_date, next) > 1) counts['caught up'] += 1
    }
  }
}

/** Nothing is due, and the rows are what the events say. */
async function checkState(models: Model[], today: string) {
  const { rows } = await watchdesk.database.pool.query<Workspace & { is_live: boolean }>(
    'select id, version, analytical_quota, ai_quota, deleted_at is null as is_live from workspaces where id > 1 order by id',
  )
  expect(
    rows.map(({ id, version, analytical_quota, ai_quota }) => ({ id, version, analytical_quota, ai_quota })),
  ).toEqual(
    models.map(({ id, version, analytical_quota, ai_quota }) => ({
      id,
      version,
      analytical_quota: analytical_quota.value,
      ai_quota: ai_quota.value,
    })),
  )
  const dates = rows.filter(({ is_live }) => is_live).flatMap((row) => KINDS.map((kind) => row[kind].renewal_date))
  expect(dates.filter((date) => date.slice(0, 10) <= today)).toEqual([])
}

/** Day by day, so differently from the code: the first right day after today in a later month than the date. */
function nextByHand(date: string, day: number, today: string) {
  const next = new Date(`${date}T00:00:00Z`)
  for (;;) {
    next.setUTCDate(next.getUTCDate() + 1)
    const tomorrow = new Date(next)
    tomorrow.setUTCDate(next.getUTCDate() + 1)
    const isLast = tomorrow.getUTCDate() === 1
    const isRight = next.getUTCDate() === day || (isLast && next.getUTCDate() < day)
    const text = next.toISOString().slice(0, 10)
    if (isRight && text > today && text.slice(0, 7) > date.slice(0, 7)) return text
  }
}

function monthsBetween(from: string, to: string) {
  const [first, last] = [from, to].map((date) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)))
  return (last ?? 0) - (first ?? 0)
}

function dateOf(days: number) {
  return new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10)
}

function dayOf(date: string) {
  return Number(date.slice(8, 10))
}

async function lastEvent() {
  const { rows } = await watchdesk.database.pool.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from audit_events',
  )
  return rows[0]?.id ?? 0
}
