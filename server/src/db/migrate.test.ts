import { randomBytes } from 'node:crypto'
import { readAddress } from '@watchdesk/contract/source-row'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { TEMPLATE } from '../../test/helpers/postgres.ts'
import { StartError } from '../env.ts'
import { migrate, readMigrations } from './migrate.ts'

let database: string
let pools: pg.Pool[]

beforeEach(async () => {
  database = await createDatabase()
  pools = []
})
afterEach(() => Promise.all(pools.map((pool) => pool.end())))

async function createDatabase() {
  const name = `watchdesk_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  return name
}

/** A replica of its own on the database, which is empty at the start of each test. */
function connect(name = database) {
  const pool = new pg.Pool({ ...inject('postgres'), database: name })
  pool.on('connect', (client) => client.on('error', () => {}))
  pools.push(pool)
  return pool
}

async function tables(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  // What is known about lists changes with their migrations.
  return rows.map(({ name }) => name).filter((name) => !['row_counts', 'list_places', 'list_changes'].includes(name))
}

async function applied(pool: pg.Pool) {
  const { rows } = await pool.query('select version, name, checksum from schema_migrations order by version')
  return rows
}

const known = async () => (await readMigrations()).map(({ sql: _, ...migration }) => migration)

async function refusal(pool: pg.Pool) {
  const error = await migrate(pool).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  return error.message
}

test('an empty database gets all steps, and a second start changes nothing', async () => {
  const pool = connect()
  await migrate(pool)
  expect(await applied(pool)).toEqual(await known())
  const before = await pool.query('select * from schema_migrations')
  await migrate(pool)
  expect((await pool.query('select * from schema_migrations')).rows).toEqual(before.rows)
})

/** What somebody may have stored once a step was done. */
const STORED: Record<number, string[]> = {
  1: [
    `insert into workspaces (name, description, analytical_quota, ai_quota, config) values ('Acme', '', '{}', '{}', '{}')`,
    `insert into powerbi_dashboards (name, description, embed_link) values ('Reach', '', 'https://example.com')`,
    `insert into audit_events (actor_name, action, entity, changes) values ('Ann', 'create', 'workspace', '{}')`,
  ],
  2: [
    `insert into sources (platform, url, country) values ('TELEGRAM', 'https://t.me/a', 'UA')`,
    `insert into sheets (title, header, row_count) values ('Sheet', '{a,b}', 1)`,
    `insert into sheet_rows (sheet_id, number, cells) select id, 1, '{1,2}' from sheets`,
  ],
  3: [
    `insert into narratives (id) values (7)`,
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select id, 'Ann', 'Lee', 'ann@example.com', '-', true, false, 'STANDARD', '' from workspaces`,
    `insert into login_failures (email, failures, pending, changed_at) values ('ann@example.com', 3, 0, now())`,
  ],
  4: [
    `insert into audit_events (actor_name, action, entity, changes, ip) values ('Ann', 'denied', 'call', '{}', '::1')`,
  ],
  5: [
    `insert into sheets (title, header, row_count, outcomes) values ('Source import of Ann', '{row,outcome}', 1, '{"requested": 1}')`,
  ],
  6: [
    `insert into stories (narrative_id, message_composite_id, story, digest) values (7, 'a', 'b', gen_random_uuid())`,
    `insert into story_vectors (story_id, model, vector) select id, 'lexical', '{0.6,0.8}' from stories`,
  ],
  7: [
    `insert into stories (narrative_id, message_composite_id, story, digest) values (7, 'c', 'd', gen_random_uuid())`,
    `insert into story_vectors (story_id, model, vector, packed)
      select id, 'lexical', '{0.6,0.8}', '\\x9a99193fcdcc4c3f' from stories where story = 'd'`,
  ],
  8: [
    `insert into vectorization_runs (execution_date, narrative_id, platforms, content_types, model, runner)
      values (now(), 7, '{}', '{}', 'lexical', 'server')`,
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language, deleted_at)
      select id, 'Bob', 'Ray', 'bob@example.com', '-', true, false, 'STANDARD', '', now() from workspaces`,
  ],
  9: [
    `insert into audit_events (action, entity, entity_id, changes) select 'update', 'user', id, '{}' from users`,
    `insert into audit_events (action, entity, entity_id, changes) select 'update', 'workspace', id, '{}' from workspaces`,
  ],
  10: [
    `insert into audit_events (action, entity, parent_id, changes) select 'delete', 'user', min(id), '{}' from audit_events`,
  ],
  11: [
    `insert into sources (platform, url) values ('VK', 'https://vk.com/b')`,
    `insert into sheets (title, header, row_count) values ('Third', '{a}', 1)`,
    `insert into sheet_rows (sheet_id, number, cells, outcome) select max(id), 1, '{1}', 'requested' from sheets`,
  ],
  12: [
    `insert into imports (kind, state, created_sheet_url) values ('export', 'done', 'https://desk.example.com/sheets/1')`,
    `insert into imports (kind, state, created_sheet_url) values ('export', 'done', 'https://docs.google.com/spreadsheets/d/x')`,
  ],
  13: [`insert into imports (kind, state, undoes_id) select 'undo', 'done', min(id) from imports`],
  14: [
    `insert into sources (platform, url, deleted_at) values ('VK', 'https://vk.com/c', null), ('VK', 'https://vk.com/d', now())`,
    `insert into source_changes (import_id, source_id, before, content_version) select min(id), 1, '{}', 2 from imports`,
  ],
  15: [
    `insert into stories (narrative_id, message_composite_id, story, digest, deleted_at)
      values (7, 'e', 'f', gen_random_uuid(), now())`,
  ],
  16: [`insert into sign_ins (user_id) select id from users where deleted_at is not null`],
  17: [`update workspaces set ai_renewal_day = 31`],
  18: [`insert into imports (kind, state) values ('users_change', 'failed')`],
  19: [`insert into daily_totals (day, users, sources, stories) values ('2026-11-17', 3, 2, 1)`],
  20: [
    `insert into saved_views (user_id, list, name, query) select id, 'users', 'Mine', 'sort=email' from users`,
    `insert into sessions (token_hash, user_id, created_at) select sha256(email::bytea), id, now() - interval '1 hour' from users`,
  ],
  21: [`insert into sources (platform, url) values ('TELEGRAM', 'https://t.me/+AbC')`],
  22: [`insert into authenticators (user_id, secret) select min(id), '\\x00' from users`],
  23: [
    `insert into workspaces (name, description, analytical_quota, ai_quota, config, status, trial_end_date) values
      ('Trial', '', '{"limit": 3, "balance": 1}', '{"limit": 0, "balance": 2}', '{}', 'TRIAL', '2026-12-01')`,
  ],
  24: [
    `insert into passkeys (user_id, credential_id, public_key, counter, name)
     select min(id), '\\x01', '\\x02', 0, 'Laptop' from users`,
  ],
  25: [`insert into sessions (token_hash, user_id, method) select '\\x03', min(id), 'sso' from users`],
  26: [`insert into mails (kind, email) values ('forgotten_password', 'olena@example.com')`],
  27: [`insert into mail_limits (key, used_until) values ('\\x04', now())`],
  28: [`update mails set leased_by = gen_random_uuid(), leased_until = now()`],
  29: [
    `insert into imports (kind, state, counts) values ('users_import', 'done', '{"added": 1}')`,
    `insert into operation_changes (operation_id, entity, record_id, before, after)
      select max(id), 'sources', 1, '{"country": null}', '{"content_version": 3}' from imports`,
  ],
  30: [`insert into operations (kind, state) values ('export', 'done')`],
  31: [`insert into operations (kind, state, details) values ('workspaces_change', 'done', '{"action": "delete"}')`],
  32: [
    `insert into operations (kind, state) values ('export', 'done')`,
    `update users set last_name = 'Renamed'`,
    `insert into sources (platform, url) values ('TELEGRAM', 'https://t.me/b')`,
  ],
}

/** Their contents moved to other tables, as the tests below show, or were of use for ten minutes. */
const DROPPED: Record<number, string[]> = {
  29: ['source_changes', 'story_changes'],
  31: ['login_failures', 'sheet_rows'],
}

test('what was stored in any version stays through all later steps, and the schema becomes that of a new database', async () => {
  const pool = connect()
  let before: Record<string, unknown[]> = {}
  for (const { version } of await known()) {
    await migrate(pool, { upTo: version })
    for (const table of DROPPED[version] ?? []) delete before[table]
    expect(await rowsOf(pool, Object.keys(before)), `version ${version}`).toMatchObject(before)
    for (const insert of STORED[version] ?? []) await pool.query(insert)
    before = await rowsOf(pool, await tables(pool))
  }
  // The list is kept under the new name of its table.
  const lists = await pool.query(`select list, live + (select coalesce(sum(live_change), 0) from list_changes
    where list_changes.list = list_totals.list) as live from list_totals where list in ('operations', 'users', 'sources')`)
  const counted = await pool.query(`select 'operations' as list, count(*) as live from operations
    union all select 'users', count(*) from users where deleted_at is null
    union all select 'sources', count(*) from sources where deleted_at is null`)
  expect(lists.rows).toEqual(expect.arrayContaining(counted.rows))
  expect(await schema(pool)).toEqual(await schema(connect(TEMPLATE)))
})

test('sheets from before their origin was stored get it from what they list, or were called', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 5 })
  await pool.query(`insert into sheets (title, header, row_count, outcomes) values
    ('Source import of Ann, 2026-11-15 09:30 UTC', '{outcome}', 1, '{"requested": 1}'),
    ('Source import of Bo, 2026-11-15 09:40 UTC', '{replaced}', 1, null),
    ('TELEGRAM sources, 2026-11-15 09:50 UTC', '{source_url}', 1, null)`)
  await migrate(pool)
  const { rows } = await pool.query('select origin from sheets order by id')
  expect(rows.map(({ origin }) => origin)).toEqual(['source_import', 'source_import', 'source_management'])
})

test('events from before a user was moved to another workspace are shown to no workspace admin', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 9 })
  await pool.query(`insert into workspaces (name, description, config, analytical_quota, ai_quota)
    values ('First', '', '{}', '{}', '{}'), ('Second', '', '{}', '{}', '{}')`)
  await pool.query(`insert into users
      (first_name, last_name, email, password_hash, workspace_id, is_admin, is_super_admin, type, language)
    values ('A', 'B', 'a@example.com', 'none', 2, true, false, 'STANDARD', ''),
      ('C', 'D', 'c@example.com', 'none', 2, true, false, 'STANDARD', '')`)
  await pool.query(`insert into audit_events (action, entity, entity_id, actor_id, changes) values
    ('create', 'user', 1, 9, '{}'), ('create', 'user', 2, 9, '{}'), ('login', 'session', 1, 1, '{}'),
    ('denied', 'call', null, 1, '{}'),
    ('update', 'user', 1, 9, '{"workspace_id": {"before": 1, "after": 2}}'), ('login', 'session', 1, 1, '{}')`)
  await migrate(pool)
  const { rows } = await pool.query<{ workspace_id: number | null }>(
    'select workspace_id from audit_events order by id',
  )
  expect(rows.map(({ workspace_id }) => workspace_id)).toEqual([null, 2, null, null, 2, 2])
})

test('sources are stored like new ones, without the case of handles, and those that differ only in case are kept', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 21 })
  const sources = [
    ['TELEGRAM', 'https://t.me/News', 'https://t.me/news'],
    ['TELEGRAM', 'https://t.me/NEWS', 'https://t.me/NEWS'],
    ['TELEGRAM', 'https://t.me/s/Other/12', 'https://t.me/s/other/12'],
    ['TELEGRAM', 'https://t.me/+AbC', 'https://t.me/+AbC'],
    ['TELEGRAM', 'https://t.me/joinchat/AbC', 'https://t.me/joinchat/AbC'],
    ['FACEBOOK', 'https://facebook.com/groups/Some.Page', 'https://facebook.com/groups/some.page'],
    ['FACEBOOK', 'https://facebook.com/share/AbC', 'https://facebook.com/share/AbC'],
    ['TWITTER', 'https://twitter.com/Twice', 'https://twitter.com/Twice'],
    ['TWITTER', 'https://twitter.com/twice', 'https://twitter.com/twice'],
    ['TWITTER', 'https://twitter.com/One/status/1', 'https://twitter.com/one/status/1'],
    ['TIKTOK', 'https://tiktok.com/@Some.One/video/1', 'https://tiktok.com/@some.one/video/1'],
    ['YOUTUBE', 'https://youtube.com/@One', 'https://youtube.com/@one'],
    ['YOUTUBE', 'https://youtube.com/c/One', 'https://youtube.com/c/one'],
    ['YOUTUBE', 'https://youtube.com/channel/UC_x-1', 'https://youtube.com/channel/UC_x-1'],
    ['YOUTUBE', 'https://youtube.com/watch?v=AbC', 'https://youtube.com/watch?v=AbC'],
    ['VK', 'https://vk.com/Group', 'https://vk.com/group'],
    ['WEB', 'https://example.com/Page', 'https://example.com/Page'],
  ] as const
  for (const [platform, url] of sources)
    await pool.query('insert into sources (platform, url) values ($1, $2)', [platform, url])
  await pool.query(`insert into sources (platform, url, deleted_at) values
    ('YOUTUBE', 'https://youtube.com/@Live', null), ('YOUTUBE', 'https://youtube.com/@live', now())`)
  await migrate(pool)
  const { rows } = await pool.query('select url from sources order by id')
  expect(rows.map(({ url }) => url)).toEqual([
    ...sources.map(([, , stored]) => stored),
    'https://youtube.com/@live',
    'https://youtube.com/@Live',
  ])
  const differing = ['https://t.me/NEWS', 'https://twitter.com/Twice']
  for (const [platform, url, stored] of sources.filter(([, url]) => !differing.includes(url)))
    expect(readAddress(url, platform)).toEqual({ platform, url: stored })
})

test('of imports that were undone and redone several times, the last undo can be redone', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 27 })
  // Three undos and two redos; a redo that was cancelled; and one that was undone and redone once.
  await pool.query(`insert into imports (kind, state, undoes_id, is_undone) values
    ('source_import', 'done', null, true), ('undo', 'done', 1, false), ('undo', 'done', 2, true),
    ('undo', 'done', 3, false), ('undo', 'done', 4, true), ('undo', 'done', 5, false), ('undo', 'cancelled', 6, false),
    ('source_import', 'done', null, false), ('undo', 'done', 8, true), ('undo', 'done', 9, false)`)
  await migrate(pool)
  const { rows } = await pool.query('select undoes_id, is_undone from imports order by id')
  expect(rows.map(({ undoes_id, is_undone }) => [undoes_id, is_undone])).toEqual([
    [null, true],
    [1, true],
    [2, false],
    [1, true],
    [4, false],
    [1, false],
    [6, false],
    [null, false],
    [8, true],
    [9, false],
  ])
})

test('what imports of any kind had replaced is kept in one table', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 27 })
  const before = { rows_id: 4, header: ['a'], row_count: 1, outcomes: null, bytes: 5 }
  await pool.query('insert into row_sets (id, header, row_count) values (5, $1, 2)', [['a']])
  const details = { sheet_id: 7, before, version: 2 }
  await pool.query(
    `insert into imports (kind, state, rows_id, details)
     values ('sheet_replacement', 'done', 5, $1), ('sheet_replacement', 'failed', null, '{"sheet_id": 7}')`,
    [details],
  )
  await pool.query(`insert into source_changes (import_id, source_id, before, content_version)
    values (2, 8, '{"country": "UA"}', 3), (2, 9, null, 1)`)
  await pool.query('insert into story_changes (import_id, story_id, was_live) values (3, 10, false), (3, 11, true)')
  await migrate(pool)
  const { rows } = await pool.query(`select operation_id, entity, record_id::int, before, after
    from operation_changes order by operation_id, record_id`)
  expect(rows.map((row) => Object.values(row))).toEqual([
    [1, 'sheet', 7, before, { rows_id: 5 }],
    [2, 'sources', 8, { country: 'UA' }, { content_version: 3 }],
    [2, 'sources', 9, null, { content_version: 1 }],
    [3, 'stories', 10, { is_live: false }, { is_live: true }],
  ])
})

test('what changes of many users, workspaces and dashboards had replaced comes from their events', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 31 })
  await pool.query(`insert into row_sets (id, header, row_count) values (5, '{name}', 1)`)
  await pool.query(`insert into operations (kind, state, details, rows_id) values
    ('users_change', 'done', '{"action": "update", "event_id": 1}', null),
    ('workspaces_change', 'done', '{"action": "delete", "event_id": 3}', null),
    ('users_import', 'done', '{"event_id": 6}', null), ('users_import', 'done', '{"event_id": null}', null),
    ('users_change', 'done', '{"action": "unlock", "event_id": 8}', null),
    ('dashboards_change', 'done', '{"action": "delete", "event_id": 99}', 5)`)
  const changes = { type: { before: 'STANDARD', after: 'MODERATOR' }, is_admin: { before: true, after: null } }
  await pool.query(
    `insert into audit_events (action, entity, entity_id, parent_id, version, changes) values
      ('update', 'users', 1, null, null, '{}'), ('update', 'user', 7, 1, 2, $1),
      ('delete', 'workspaces', 2, null, null, '{}'), ('delete', 'workspace', 8, 3, 5, '{}'), ('delete', 'user', 9, 4, 6, '{}'),
      ('import', 'users', 3, null, null, '{}'), ('create', 'user', 10, 6, 1, $1),
      ('unlock', 'users', 5, null, null, '{}'), ('unlock', 'user', 11, 8, null, '{}')`,
    [changes],
  )
  await migrate(pool)
  const { rows } = await pool.query(`select operation_id, entity, record_id::int, before, after
    from operation_changes order by operation_id, record_id`)
  expect(rows.map((row) => Object.values(row))).toEqual([
    [1, 'users', 7, { type: 'STANDARD', is_admin: true }, { type: 'MODERATOR', is_admin: null }],
    [2, 'workspaces', 8, {}, { version: 5 }],
    [3, 'users', 10, null, { version: 1 }],
  ])
  const purged = await pool.query('select id, rows_id from operations where is_purged')
  expect(purged.rows, 'those whose events are gone, with their rows').toEqual([{ id: 6, rows_id: 5 }])
})

test('the rows of sheets that were created without a set get one, and so do rows without a sheet', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 29 })
  await pool.query(`insert into sheets (title, header, row_count) values ('Old', '{a}', 1)`)
  await pool.query(`insert into set_rows (set_id, number, cells) values (1, 1, '{x}'), (2, 1, '{y}')`)
  await migrate(pool)
  expect((await pool.query('select rows_id from sheets')).rows).toEqual([{ rows_id: 1 }])
  const sets = await pool.query('select id, header, row_count from row_sets order by id')
  expect(sets.rows).toEqual([
    { id: 1, header: ['a'], row_count: 1 },
    { id: 2, header: [], row_count: 0 },
  ])
})

test('every version before the last has data to be brought along', async () => {
  expect(Object.keys(STORED).map(Number)).toEqual((await known()).slice(0, -1).map(({ version }) => version))
})

const KEPT_LISTS = ['users', 'vectorization_runs']

async function rowsOf(pool: pg.Pool, names: string[]) {
  const rows: Record<string, unknown[]> = {}
  for (const name of names.filter((name) => name !== 'schema_migrations')) {
    const { fields, rows: stored } = await pool.query(`select * from ${name} order by 1`)
    // Events are no longer listed by their places, later steps add lists, and workspaces were given more orders.
    const isListed = fields.some((field) => field.name === 'list')
    const kept = isListed ? stored.filter(({ list }) => KEPT_LISTS.includes(list)) : stored
    // Generated from other columns, and later steps may generate it differently.
    rows[name] = kept.map(({ search_text: _, ...row }) => row)
  }
  return rows
}

async function schema(pool: pg.Pool) {
  const { rows } = await pool.query(
    `select 'column' as kind, attrelid::regclass::text as of, attname::text as name, format_type(atttypid, atttypmod) as what
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
     union all select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
     union all select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
       from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by 1, 2, 3`,
  )
  return rows
}

test('replicas that start together apply each step once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(connect())))
  expect(await applied(connect())).toEqual(await known())
})

test('a step that was changed after it had run stops the start with one sentence', async () => {
  const pool = connect()
  await migrate(pool)
  await pool.query(`update schema_migrations set checksum = 'other' where version = 1`)
  expect(await refusal(pool)).toBe('The migration 0001_accounts.sql was changed after it had run')
})

test('a database of a newer release stops the start with one sentence, and nothing is touched', async () => {
  const pool = connect()
  await migrate(pool)
  await pool.query(`insert into schema_migrations (version, name, checksum) values (9999, '9999_later.sql', 'x')`)
  const before = await tables(pool)
  expect(await refusal(pool)).toBe('The database is newer than this release: it has the migration 9999_later.sql')
  expect(await tables(pool)).toEqual(before)
})

test.each([
  // The step must create this table too, so it waits, half done, until that transaction ends.
  ['in the middle', 'create table users (id integer)'],
  ['before it is recorded', 'lock table schema_migrations in share mode'],
])(
  'a step whose connection dies %s leaves nothing of it, and the next start does it whole',
  async (_when, obstacle) => {
    const pool = connect()
    await migrate(pool, { upTo: 0 })
    const other = await pool.connect()
    await other.query('begin')
    await other.query(obstacle)
    let error: unknown
    migrate(connect()).catch((thrown) => {
      error = thrown
    })
    // The wait for the lock may end just before its connection does. Then the step tries again.
    await vi.waitUntil(
      async () => {
        await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`)
        return error
      },
      { timeout: 60_000 },
    )
    expect(error).toBeInstanceOf(Error)
    await other.query('rollback')
    other.release()

    expect(await tables(pool)).toEqual(['schema_migrations'])
    expect(await applied(pool)).toEqual([])
    await migrate(connect())
    expect(await applied(pool)).toEqual(await known())
  },
)

test('a step that fails leaves nothing of it and says why', async () => {
  const pool = connect()
  await pool.query('create table sessions (id integer)')
  await expect(migrate(pool)).rejects.toThrow('relation "sessions" already exists')
  expect(await tables(pool)).toEqual(['schema_migrations', 'sessions'])
  await pool.query('drop table sessions')
  await migrate(pool)
  expect(await applied(pool)).toEqual(await known())
})

test('a step waits for a table that is in use, and lets others read it meanwhile', async () => {
  const pool = connect()
  const altering = /alter table (\w+)/
  const step = (await readMigrations()).findLast(({ sql }) => altering.test(sql))
  await migrate(pool, { upTo: (step?.version ?? 0) - 1 })
  const altered = altering.exec(step?.sql ?? '')?.[1]
  const backup = await connect().connect()
  await backup.query(`begin; lock table ${altered} in access share mode`)
  let isDone = false
  const migrated = migrate(pool).then(() => {
    isDone = true
  })
  const waiting = `select from pg_locks where relation = '${altered}'::regclass and not granted`
  await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1)
  await pool.query(`select from ${altered} limit 1`)
  expect(isDone).toBe(false)
  await backup.query('commit')
  backup.release()
  await migrated
  expect(await applied(pool)).toEqual(await known())
})

test('while events get their names, others can read them, and what a killed run has done can be done again', async () => {
  const pool = connect()
  await migrate(pool, { upTo: 9 })
  await pool.query(`insert into workspaces (name, description, config, analytical_quota, ai_quota)
    values ('First', '', '{}', '{}', '{}')`)
  // More than one batch.
  await pool.query(`insert into audit_events (action, entity, entity_id, changes)
    select 'update', 'workspace', 1, '{}' from generate_series(1, 10001)`)
  const other = await pool.connect()
  await other.query('begin; lock table list_places in share mode')
  const failed = migrate(connect()).catch((thrown) => thrown)
  const waiting = async () => {
    const { rows } = await pool.query<{ pid: number; keeps_out: boolean }>(
      `select pid, exists (select from pg_locks
          where relation = 'audit_events'::regclass and mode = 'AccessExclusiveLock' and granted) as keeps_out
        from pg_locks where relation = 'list_places'::regclass and not granted`,
    )
    return rows[0]
  }
  const unnamed = `select count(*)::int as events from audit_events where record_name is distinct from 'First'`
  await expect.poll(waiting, { timeout: 60_000, interval: 5 }).toMatchObject({ keeps_out: false })
  expect((await pool.query(unnamed)).rows).toEqual([{ events: 0 }])
  await expect
    .poll(async () => (await pool.query('select pg_terminate_backend($1)', [(await waiting())?.pid])).rows[0], {
      interval: 5,
    })
    .toEqual({ pg_terminate_backend: true })
  expect(await failed).toBeInstanceOf(Error)
  await other.query('rollback')
  other.release()
  await migrate(pool)
  const fresh = connect(await createDatabase())
  await migrate(fresh)
  expect(await schema(pool)).toEqual(await schema(fresh))
})

test('each migration of an existing database is reported in a line, those of a new one are not', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const pool = connect()
  const names = (await known()).map(({ name }) => name)
  await migrate(pool, { upTo: names.length - 2 })
  expect(log.mock.calls).toEqual([])
  await migrate(pool)
  const lines = names.slice(-2).map((name, index) => [`Migration ${index + 1} of 2, ${name}: done in`])
  expect(log.mock.calls.map(([line]) => [String(line).replace(/ [\d.]+ s$/, '')])).toEqual(lines)
})

test('a database that ran 0010 before it was rewritten still starts', async () => {
  const pool = connect()
  await migrate(pool)
  const former = '07877e532fee369e4b31e979f6147637f70f5561b959a63af85640ac9780ff56'
  await pool.query('update schema_migrations set checksum = $1 where version = 10', [former])
  await migrate(pool)
})
