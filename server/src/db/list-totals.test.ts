import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { purge } from '../purge.ts'
import { compactLists, totalOf } from './list-totals.ts'
import { isLive, type ListedTable } from './lists.ts'

const watchdesk = useWatchdesk()

const WRITERS = 20
let writers: pg.Pool
beforeAll(async () => {
  await watchdesk.createWorkspace()
  const { host, port, user, password, database } = watchdesk.database.pool.options
  writers = new pg.Pool({ host, port, user, password, database, max: WRITERS })
})
afterAll(() => writers.end())

const TABLES: ListedTable[] = ['workspaces', 'users', 'sources', 'sheets', 'operations', 'vectorization_runs']

/** In one statement, so in one snapshot. */
async function expectTrueTotals() {
  for (const table of TABLES) {
    const { rows } = await sql<{ kept: number; counted: number }>`select (${totalOf(table)}) as kept,
      (select count(*) from ${sql.table(table)} where ${isLive(table)}) as counted`.execute(watchdesk.database.db)
    expect({ table, kept: rows[0]?.kept }).toEqual({ table, kept: rows[0]?.counted })
  }
}

/** A few rows at random, never the first user and its workspace. */
const some = (table: string) => `id in (select id from ${table} where id > 1 order by random() limit $1)`

const STATEMENTS = {
  createUsers: `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
    select 1, 'New', 'User', gen_random_uuid() || '@example.com', '-', false, false, 'STANDARD', '' from generate_series(1, $1)`,
  createDeletedUsers: `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language, deleted_at)
    select 1, 'Old', 'User', gen_random_uuid() || '@example.com', '-', false, false, 'STANDARD', '', now() from generate_series(1, $1)`,
  renameUsers: `update users set last_name = md5(random()::text) where ${some('users')}`,
  moveUsers: `update users set email = gen_random_uuid() || '@example.com' where ${some('users')}`,
  editUsers: `update users set type = 'MODERATOR', version = version + 1 where ${some('users')}`,
  renameAndDeleteUsers: `update users set last_name = 'Gone', deleted_at = now() where ${some('users')}`,
  deleteUsers: `update users set deleted_at = now() where ${some('users')}`,
  restoreUsers: `update users set deleted_at = null where ${some('users')}`,
  flipUsers: `update users set deleted_at = case when deleted_at is null then now() end where ${some('users')}`,
  removeUsers: `delete from users where ${some('users')}`,
  expireUsers: `update users set deleted_at = now() - interval '31 days' where ${some('users')}`,
  createWorkspaces: `insert into workspaces (name, description, analytical_quota, ai_quota, config)
    select md5(random()::text), '', '{}', '{}', '{}' from generate_series(1, $1)`,
  editWorkspaces: `update workspaces set status = case when random() < 0.5 then 'INTERNAL' end, name = md5(random()::text)
    where ${some('workspaces')}`,
  flipWorkspaces: `update workspaces set deleted_at = case when deleted_at is null then now() end where ${some('workspaces')}`,
  createSources: `insert into sources (platform, url, country)
    select 'WEB', 'https://example.com/' || gen_random_uuid(), case when random() < 0.5 then 'UA' end from generate_series(1, $1)`,
  createDeletedSources: `insert into sources (platform, url, deleted_at)
    select 'WEB', 'https://example.com/' || gen_random_uuid(), now() from generate_series(1, $1)`,
  moveSources: `update sources set country = (array['UA', 'PL', null])[1 + floor(random() * 3)] where ${some('sources')}`,
  editSources: `update sources set version = version + 1 where ${some('sources')}`,
  deleteSources: `update sources set deleted_at = now() where ${some('sources')}`,
  flipSources: `update sources set country = 'DE', deleted_at = case when deleted_at is null then now() end where ${some('sources')}`,
  removeSources: `delete from sources where ${some('sources')}`,
  recordEvents: `insert into audit_events (action, entity, changes) select 'update', 'user', '{}' from generate_series(1, $1)`,
}
type Name = keyof typeof STATEMENTS
const names = Object.keys(STATEMENTS) as Name[]

const step = fc.record({
  name: fc.constantFrom<(Name | Job)[]>(...names, 'purge', 'compact'),
  rows: fc.integer({ min: 0, max: 6 }),
  isRolledBack: fc.boolean(),
})

type Job = 'purge' | 'compact'

async function run({ name, rows, isRolledBack }: { name: Name | Job; rows: number; isRolledBack: boolean }) {
  if (name === 'purge') return purge(watchdesk.database.db, watchdesk.deps.env)
  if (name === 'compact') return compactLists(watchdesk.database.db)
  const client = await writers.connect()
  try {
    await client.query('begin')
    await client.query(STATEMENTS[name], [rows])
    await client.query(isRolledBack ? 'rollback' : 'commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

test('totals are exact after any sequence of creates, edits, deletes, restores, purges and compactions', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    for (const one of steps) await run(one)
    await expectTrueTotals()
  })
  await fc.assert(property, { numRuns: 20 })
})

test('and after what the API does, a workspace that goes with its users included', async () => {
  const { admin } = watchdesk
  const workspace = await watchdesk.createWorkspace()
  const user = await watchdesk.createUser({ workspace_id: workspace.id })
  await watchdesk.createUser({ workspace_id: workspace.id })
  const calls = [
    ['DELETE', `users/${user.id}`],
    ['POST', `users/${user.id}/restore`],
    ['DELETE', `workspaces/${workspace.id}`],
    ['POST', `workspaces/${workspace.id}/restore`],
    ['DELETE', `workspaces/${workspace.id}`],
  ] as const
  for (const [method, path] of calls) {
    expect((await admin(method, `/api/v1/${path}`)).status).toBeLessThan(300)
    await expectTrueTotals()
  }
})

test(`with ${WRITERS} writers and two compactions at once, in every snapshot`, async () => {
  let isDone = false
  const during = async (work: () => Promise<unknown>) => {
    while (!isDone) await work()
  }
  const compacting = () => compactLists(watchdesk.database.db)
  await run({ name: 'createUsers', rows: 40, isRolledBack: false })
  await compacting()
  const others = [during(compacting), during(compacting), during(expectTrueTotals)]
  const work = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let round = 0; round < 15; round++) {
      // Each name in another order for each writer; those that change rows in bulk may meet in a deadlock, which rolls back.
      const name = names[(writer * 7 + round) % names.length] ?? 'createUsers'
      await run({ name, rows: 1 + (round % 4), isRolledBack: round % 5 === 4 }).catch(ignoreDeadlock)
    }
  })
  await Promise.all(work).finally(() => {
    isDone = true
  })
  await Promise.all(others)
  await expectTrueTotals()
})

test('a compaction leaves no changes, and another one at the same time does not disturb it', async () => {
  const { db, pool } = watchdesk.database
  await run({ name: 'createUsers', rows: 50, isRolledBack: false })
  await Promise.all([1, 2, 3].map(() => compactLists(db)))
  expect((await pool.query('select from list_changes')).rowCount).toBe(0)
  await expectTrueTotals()
})

test.each([
  { table: 'notes', column: 'deleted_at timestamptz', live: 'deleted_at is null', is_bulk: false },
  { table: 'letters', column: 'deleted_at timestamptz', live: 'deleted_at is null', is_bulk: true },
  { table: 'marks', column: 'note text', live: 'true', is_bulk: false },
])(
  'keep_total counts the rows that $table has, and those that come and go',
  async ({ table, column, live, is_bulk }) => {
    const { pool } = watchdesk.database
    const isSoft = column.startsWith('deleted_at')
    const add = `insert into ${table} (id) select generate_series(max(id) + 1, max(id) + 7000) from ${table}`
    await pool.query(`create table ${table} (id integer primary key, ${column}); insert into ${table} values (1)`)
    await pool.query(`${add}; ${isSoft ? `update ${table} set deleted_at = now() where id % 3 = 0` : ''}`)
    await pool.query(`select keep_total('${table}', ${is_bulk})`)
    const steps = [add, `delete from ${table} where id % 7 = 0`, `update ${table} set ${column.split(' ')[0]} = null`]
    for (const step of ['', ...steps, `truncate ${table}`]) {
      await pool.query(step)
      const { rows } = await pool.query(
        `select (select live + coalesce((select sum(live_change) from list_changes where list = '${table}'), 0)
         from list_totals where list = '${table}') as kept, count(*) as counted from ${table} where ${live}`,
      )
      expect(Number(rows[0].kept)).toBe(Number(rows[0].counted))
    }
  },
)

test('an edit that neither deletes nor restores records nothing', async () => {
  const { db, pool } = watchdesk.database
  await run({ name: 'createSources', rows: 3, isRolledBack: false })
  await compactLists(db)
  for (const name of ['editUsers', 'renameUsers', 'editWorkspaces', 'editSources', 'moveSources'] as const)
    await run({ name, rows: 6, isRolledBack: false })
  expect((await pool.query('select from list_changes')).rowCount).toBe(0)
})

function ignoreDeadlock(error: { code?: string }) {
  if (error.code !== '40P01') throw error
}

test('an emptied table has no rows in its list either', async () => {
  const { pool } = watchdesk.database
  await pool.query('insert into narratives (id) values (7) on conflict do nothing')
  await pool.query(`insert into vectorization_runs (execution_date, narrative_id, platforms, content_types, model, runner)
    select now() + n * interval '1 second', 7, '{}', '{}', 'lexical', 'server' from generate_series(1, 30) n`)
  await compactLists(watchdesk.database.db)
  await pool.query('truncate vectorization_runs')
  await expectTrueTotals()
})

test('what is written into the log runs no function of the role that changes a row', async () => {
  const { rows } = await watchdesk.database.pool.query(
    `select distinct proconfig from pg_proc where proname = 'count_rows' and prosecdef`,
  )
  expect(rows).toEqual([{ proconfig: ['search_path=pg_catalog, pg_temp'] }])
})
