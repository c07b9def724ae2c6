import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { compactLists, totalOf } from '../../db/list-totals.ts'
import { recordTotals } from './daily-totals.ts'

const watchdesk = useWatchdesk()
const query = (text: string, values: unknown[] = []) => watchdesk.database.pool.query(text, values)
const run = (now = 'now()') => recordTotals(watchdesk.database.db, sql<Date>`${sql.raw(now)}`)
const UTC_TODAY = `(now() at time zone 'UTC')::date`

beforeEach(async () => {
  await query('truncate daily_totals, sources, operation_changes, stories cascade')
  await query('insert into narratives (id) values (1) on conflict do nothing')
})

type Row = {
  ago: number
  users: number
  sources: number
  stories: number
  ai_limit: number | null
  is_counted: boolean
}

/** The oldest first, each with the number of days since. */
async function stored() {
  const { rows } = await query(`select (${UTC_TODAY} - day)::int as ago, users, sources, stories, ai_limit,
    counted_at is not null as is_counted from daily_totals order by day`)
  return rows as Row[]
}

const storedOn = async (ago: number) => (await stored()).find((row) => row.ago === ago)

function addSources(count: number, created: string, deleted = 'null') {
  return query(`insert into sources (platform, url, created_at, deleted_at)
    select 'WEB', 'https://example.com/' || gen_random_uuid(), ${created}, ${deleted} from generate_series(1, ${count})`)
}

test('the first run computes the days before it, and counts today', async () => {
  await addSources(3, `now() - interval '40 days'`)
  await addSources(2, `now() - interval '40 days'`, `now() - interval '10 days'`)
  await run()
  const rows = await stored()
  expect(rows.map(({ ago }) => ago)).toEqual(Array.from({ length: 90 }, (_, index) => 89 - index))
  expect(rows.map(({ sources }) => sources)).toEqual([...Array(49).fill(0), ...Array(30).fill(5), ...Array(11).fill(3)])
  expect(rows.filter(({ is_counted }) => is_counted).map(({ ago }) => ago)).toEqual([0])
  expect(rows.map(({ ai_limit }) => ai_limit !== null)).toEqual([...Array(89).fill(false), true])
})

test('computed totals are those that existed at the end of each day, whenever records came and went', async () => {
  const record = fc.record({ created: fc.integer({ max: 100 * 24, min: 0 }), kept: fc.option(fc.nat(100 * 24)) })
  const table = fc.constantFrom('users', 'sources', 'stories')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(table, record), { maxLength: 20 }), async (records) => {
      await query('truncate daily_totals, sources, operation_changes, stories cascade')
      await query('delete from users where id > 1')
      for (const [name, { created, kept }] of records) {
        const at = `now() - interval '${created} hours'`
        const end = kept !== null && kept < created ? `now() - interval '${created - kept} hours'` : 'null'
        await add(name, at, end)
      }
      await run()
      for (const name of ['users', 'sources', 'stories'] as const) {
        const { rows } = await query(`select day, ${name} as total, (select count(*) from ${name}
            where created_at < (day + 1)::timestamp at time zone 'UTC'
              and (deleted_at is null or deleted_at >= (day + 1)::timestamp at time zone 'UTC')) as existed
          from daily_totals`)
        expect(rows.filter(({ total, existed }) => total !== existed)).toEqual([])
      }
    }),
    { numRuns: 20 },
  )
})

function add(table: string, created: string, deleted: string) {
  if (table === 'sources') return addSources(1, created, deleted)
  if (table === 'stories')
    return query(`insert into stories (narrative_id, message_composite_id, story, digest, created_at, deleted_at)
      values (1, 'TELEGRAM:POST:1', 'Text', gen_random_uuid(), ${created}, ${deleted})`)
  return query(`insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin,
      type, language, created_at, deleted_at)
    values (1, 'A', 'B', gen_random_uuid() || '@example.com', '-', false, false, 'STANDARD', '', ${created}, ${deleted})`)
}

test('several servers at once make one row per day', async () => {
  await addSources(4, `now() - interval '3 days'`)
  await Promise.all(Array.from({ length: 8 }, () => run()))
  const rows = await stored()
  expect(rows).toHaveLength(90)
  expect(rows.slice(-4).map(({ sources }) => sources)).toEqual([4, 4, 4, 4])
})

test('a later count of the day takes the place of an earlier one, and never the other way round', async () => {
  await addSources(1, 'now()')
  await run()
  await addSources(1, 'now()')
  // A server whose transaction began earlier.
  await run(`greatest(now() - interval '1 minute', date_trunc('day', now(), 'UTC'))`)
  expect(await storedOn(0)).toMatchObject({ sources: 1 })
  await run()
  expect(await storedOn(0)).toMatchObject({ sources: 2 })
})

test('days on which no server ran are computed, and those that were counted stay', async () => {
  await addSources(2, `now() - interval '9 days'`)
  await run(`now() - interval '5 days'`)
  await query('update daily_totals set sources = 77, users = 88 where counted_at is not null')
  await addSources(1, `now() - interval '3 days'`)
  await run()
  const rows = (await stored()).slice(-7)
  expect(rows.map(({ sources }) => sources)).toEqual([2, 77, 2, 3, 3, 3, 3])
  expect(rows.map(({ ai_limit }) => ai_limit !== null)).toEqual([false, true, false, false, false, false, true])
})

test('the use of quotas is that of the workspaces in use: limits less balances', async () => {
  await query('delete from workspaces where id > 1')
  await query(
    `update workspaces set status = null, ai_quota = '{}', analytical_quota = '{"limit": 100, "balance": 30}'`,
  )
  const quota = (limit: number, balance: number) => ({ limit, balance, renewal_date: '2026-12-01T00:00:00' })
  await watchdesk.createWorkspace({ analytical_quota: quota(50, 60), ai_quota: quota(10, 0) })
  await watchdesk.createWorkspace({ status: 'DEACTIVATED', ai_quota: quota(1000, 0) })
  const { id } = await watchdesk.createWorkspace({ ai_quota: quota(1000, 0) })
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${id}`)
  await run()
  const { rows } = await query(`select analytical_used, analytical_limit, ai_used, ai_limit from daily_totals
    where counted_at is not null`)
  expect(rows).toEqual([{ analytical_used: 70, analytical_limit: 150, ai_used: 10, ai_limit: 10 }])
})

const SOME = 'id in (select id from stories order by random() limit 3)'
const STATEMENTS = [
  `insert into stories (narrative_id, message_composite_id, story, digest, deleted_at)
    select 1, 'TELEGRAM:POST:1', 'Text', gen_random_uuid(), case when random() < 0.2 then now() end from generate_series(1, 5)`,
  `update stories set deleted_at = now() where ${SOME}`,
  `update stories set deleted_at = null where ${SOME}`,
  `update stories set story = 'Edited' where ${SOME}`,
  `delete from stories where ${SOME}`,
  'truncate stories cascade',
]

test('the number of stories is exact, whatever is done to them at the same time', async () => {
  const { db } = watchdesk.database
  for (let round = 0; round < 12; round += 1) {
    const changes = fc.sample(fc.constantFrom(...STATEMENTS, ...Array(8).fill(STATEMENTS[0])), 8)
    // TRUNCATE, which only tests use, may end in a deadlock with any of them.
    const work = [...changes.map((text) => query(text)), compactLists(db), compactLists(db)]
    for (const result of await Promise.allSettled(work))
      if (result.status === 'rejected') expect(result.reason.code).toBe('40P01')
    const { rows } = await sql`select (${totalOf('stories')}) as total,
      (select count(*) from stories where deleted_at is null) as counted`.execute(db)
    expect(rows).toEqual([{ total: expect.any(Number), counted: (rows[0] as { total: number }).total }])
  }
  await compactLists(db)
  expect((await query(`select from list_changes where list = 'stories'`)).rowCount).toBe(0)
})
