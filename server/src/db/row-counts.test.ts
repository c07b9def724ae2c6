import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { purge } from '../jobs/purge.ts'

const watchdesk = useWatchdesk()

/** As many connections as writers: each has a backend, and so a shard, of its own. */
const WRITERS = 20
let writers: pg.Pool
beforeAll(async () => {
  await watchdesk.createWorkspace()
  const { host, port, user, password, database } = watchdesk.database.pool.options
  writers = new pg.Pool({ host, port, user, password, database, max: WRITERS })
})
afterAll(() => writers.end())

const COUNTED = ['users', 'workspaces', 'powerbi_dashboards', 'audit_events'] as const

async function counts() {
  const { pool } = watchdesk.database
  const kept = await pool.query<{ table_name: string; live: number }>(
    'select table_name, sum(live)::int as live from row_counts group by table_name',
  )
  const counted = COUNTED.map(async (table) => {
    const live = table === 'audit_events' ? 'true' : 'deleted_at is null'
    const { rows } = await pool.query<{ live: number }>(`select count(*)::int as live from ${table} where ${live}`)
    return [table, rows[0]?.live] as const
  })
  const of = Object.fromEntries(kept.rows.map(({ table_name, live }) => [table_name, live]))
  return {
    kept: Object.fromEntries(COUNTED.map((table) => [table, of[table] ?? 0])),
    counted: Object.fromEntries(await Promise.all(counted)),
  }
}

async function expectTrueCounts() {
  const { kept, counted } = await counts()
  expect(kept).toEqual(counted)
}

/** A few rows at random, never the first user and its workspace. */
const some = (table: string) => `id in (select id from ${table} where id > 1 order by random() limit $1)`

const STATEMENTS = {
  createUsers: `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
    select 1, 'New', 'User', gen_random_uuid() || '@example.com', '-', false, false, 'STANDARD', '' from generate_series(1, $1)`,
  createDeletedUsers: `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language, deleted_at)
    select 1, 'Old', 'User', gen_random_uuid() || '@example.com', '-', false, false, 'STANDARD', '', now() from generate_series(1, $1)`,
  editUsers: `update users set last_name = 'Edited' where ${some('users')}`,
  deleteUsers: `update users set deleted_at = now() where ${some('users')}`,
  restoreUsers: `update users set deleted_at = null where ${some('users')}`,
  flipUsers: `update users set deleted_at = case when deleted_at is null then now() end where ${some('users')}`,
  removeUsers: `delete from users where ${some('users')}`,
  expireUsers: `update users set deleted_at = now() - interval '31 days' where ${some('users')}`,
  createDashboards: `insert into powerbi_dashboards (name, embed_link) select 'Reach', 'https://bi.example.com' from generate_series(1, $1)`,
  deleteDashboards: `update powerbi_dashboards set deleted_at = now() where ${some('powerbi_dashboards')}`,
  removeDashboards: `delete from powerbi_dashboards where ${some('powerbi_dashboards')}`,
  recordEvents: `insert into audit_events (action, entity, changes) select 'update', 'user', '{}' from generate_series(1, $1)`,
}
type Name = keyof typeof STATEMENTS
const names = Object.keys(STATEMENTS) as Name[]

const step = fc.record({
  name: fc.constantFrom<(Name | 'purge')[]>(...names, 'purge'),
  rows: fc.integer({ min: 0, max: 6 }),
  isRolledBack: fc.boolean(),
})

async function run({ name, rows, isRolledBack }: { name: Name | 'purge'; rows: number; isRolledBack: boolean }) {
  if (name === 'purge') return purge(watchdesk.database.db, 1440)
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

test('the kept counts equal count(*) after any sequence of creates, deletes, restores and purges', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
    for (const one of steps) await run(one)
    await expectTrueCounts()
  })
  await fc.assert(property, { numRuns: 60 })
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
    await expectTrueCounts()
  }
})

test(`with ${WRITERS} writers at once, too`, async () => {
  const work = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let round = 0; round < 15; round++) {
      // Each name in another order for each writer; those that change rows in bulk may meet in a deadlock, which rolls back.
      const name = names[(writer * 7 + round) % names.length] ?? 'createUsers'
      await run({ name, rows: 1 + (round % 4), isRolledBack: round % 5 === 4 }).catch(ignoreDeadlock)
    }
  })
  await Promise.all(work)
  await expectTrueCounts()
  const { rows } = await watchdesk.database.pool.query(`select shard from row_counts where table_name = 'users'`)
  expect(rows.length).toBeGreaterThan(4)
})

test.each([
  { table: 'notes', column: 'deleted_at timestamptz', live: 'deleted_at is null' },
  { table: 'marks', column: 'note text', live: 'true' },
])('keep_row_count counts the rows that $table has and those that come and go', async ({ table, column, live }) => {
  const { pool } = watchdesk.database
  const isSoft = column.startsWith('deleted_at')
  const add = `insert into ${table} (id) select generate_series(max(id) + 1, max(id) + 70000) from ${table}`
  await pool.query(`create table ${table} (id integer primary key, ${column}); insert into ${table} values (1)`)
  await pool.query(`${add}; ${isSoft ? `update ${table} set deleted_at = now() where id % 3 = 0` : ''}`)
  await pool.query(`select keep_row_count('${table}')`)
  const steps = [add, `delete from ${table} where id % 7 = 0`, `update ${table} set ${column.split(' ')[0]} = null`]
  for (const step of ['', ...steps]) {
    await pool.query(step)
    const { rows } = await pool.query(
      `select (select sum(live)::int from row_counts where table_name = '${table}') as kept, count(*)::int as counted
       from ${table} where ${live}`,
    )
    expect(rows[0].kept).toBe(rows[0].counted)
  }
})

function ignoreDeadlock(error: { code?: string }) {
  if (error.code !== '40P01') throw error
}
