import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { StartError } from '../env.ts'
import { migrate, readMigrations } from './migrate.ts'

let database: string
let pools: pg.Pool[]

beforeEach(async () => {
  database = `watchdesk_test_${randomBytes(6).toString('hex')}`
  pools = []
  const admin = new pg.Client(inject('postgres'))
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
})
afterEach(() => Promise.all(pools.map((pool) => pool.end())))

/** A replica of its own on the database, which is empty at the start of each test. */
function connect() {
  const pool = new pg.Pool({ ...inject('postgres'), database })
  pool.on('connect', (client) => client.on('error', () => {}))
  pools.push(pool)
  return pool
}

async function tables(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
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
    const failed = migrate(connect()).catch((thrown) => thrown)
    const [waiting] = await blocked(pool)
    await pool.query('select pg_terminate_backend($1)', [waiting])
    expect(await failed).toBeInstanceOf(Error)
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

/** The backends of this database that wait for another one, as soon as there is one. */
async function blocked(pool: pg.Pool) {
  for (;;) {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return rows.map(({ pid }) => pid)
  }
}
