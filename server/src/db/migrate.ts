import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { StartError } from '../env.ts'
import { requireRowRights, requireSchemaRights } from './grants.ts'

const MIGRATIONS = new URL('../../src/db/migrations/', import.meta.url)
const MIGRATION_LOCK = 7_238_002
/** While a migration waits for a lock on a table, all reads of that table wait too. */
const TABLE_WAIT_MS = 200
const PAUSE_MS = 1_800
const TRIES = 100
const LOCK_NOT_AVAILABLE = '55P03'
const CREATE_MIGRATIONS = `create table if not exists schema_migrations (
  version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
)`

export const WITHOUT_TIME_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'
const REPORT_MS = 5_000
/** Migrations that were rewritten, with the same result, keep the checksum that databases and backups know. */
const REWRITTEN: Record<string, string> = {
  '4a0dfc7ae08379deee977a4bd8b9b01ace9a08f7e58389d0a5c73dc5b4cd6c86':
    '07877e532fee369e4b31e979f6147637f70f5561b959a63af85640ac9780ff56',
}

type Migration = { version: number; name: string; sql: string; checksum: string }
type Report = (progress: string) => void

/**
 * If the schema is up to date, nothing is written, so that a role that can only read and write rows can start the server. A
 * killed run leaves only complete migrations, or transactions of one that can be repeated.
 */
export async function migrate(pool: Pool, { upTo = Number.POSITIVE_INFINITY } = {}) {
  const migrations = await readMigrations()
  const applied = await appliedVersions(pool, migrations)
  const pending = migrations.filter(({ version }) => version <= upTo && !applied.has(version))
  if (pending.length === 0 && applied.size > 0) return
  await requireSchemaRights(
    pool,
    pending.map(({ name }) => name),
  )
  // The lock belongs to a transaction that does nothing else: a connection pooler may use another connection for each.
  await inTransaction(pool, async (lock) => {
    await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await pool.query(CREATE_MIGRATIONS)
    // Another replica may have been faster.
    const now = await appliedVersions(pool, migrations)
    const left = pending.filter(({ version }) => !now.has(version))
    for (const [index, migration] of left.entries()) {
      const title = `Migration ${index + 1} of ${left.length}, ${migration.name}`
      if (now.size === 0) await apply(pool, migration, () => {})
      else await reporting(title, (report) => apply(pool, migration, report))
    }
  })
}

/** So that nobody takes a long migration for a hang. */
async function reporting(title: string, work: (report: Report) => Promise<void>) {
  const start = Date.now()
  const seconds = () => ((Date.now() - start) / 1000).toFixed(1)
  let at = ''
  const timer = setInterval(() => console.log(`${title}: ${at}${seconds()} s so far`), REPORT_MS)
  try {
    await work((progress) => {
      at = `${progress}, `
    })
    console.log(`${title}: done in ${seconds()} s`)
  } finally {
    clearInterval(timer)
  }
}

/** A backup, or an import of an earlier release that is still running, may lock a table for minutes. */
async function retryOnLockTimeout(name: string, step: () => Promise<void>) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await step()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      if (tries === 0) console.warn(`The migration ${name} is waiting for a table that is in use.`)
      await wait(PAUSE_MS)
    }
  }
  throw new StartError(
    `The migration ${name} could not lock a table that is in use. Wait for the backup or import to finish, then start again`,
  )
}

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, MIGRATIONS), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number.parseInt(file, 10), name: file, sql, checksum: REWRITTEN[checksum] ?? checksum }
    }),
  )
}

/** Throws if the database has migrations that this release does not have. */
async function appliedVersions(pool: Pool, migrations: Migration[]) {
  const { rows: tables } = await pool.query<{ may_read: boolean }>(
    `select has_table_privilege(oid, 'select') as may_read from pg_class where oid = to_regclass('schema_migrations')`,
  )
  if (!tables[0]) return new Set<number>()
  if (!tables[0].may_read) await requireRowRights(pool)
  const { rows } = await pool.query<Migration>('select version, name, checksum from schema_migrations')
  const known = new Map(migrations.map(({ version, checksum }) => [version, checksum]))
  for (const { version, name, checksum } of rows) {
    if (!known.has(version))
      throw new StartError(`The database is newer than this release: it has the migration ${name}`)
    if (known.get(version) !== checksum) throw new StartError(`The migration ${name} was changed after it had run`)
  }
  return new Set(rows.map(({ version }) => version))
}

/** A transaction that may take as long as it needs, also for a connection pooler, which gives the connection to others later. */
export async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(WITHOUT_TIME_LIMITS)
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // Closing the connection rolls it back.
    client.release(true)
    throw error
  }
}

/**
 * A migration is one transaction, unless it has lines such as `-- New transaction` or, for a range of ids from :from to :to,
 * `-- New transaction per 10000 rows of TABLE`. All but the last are repeated if a run is killed, so they must allow that.
 */
async function apply(pool: Pool, { name, sql, version, checksum }: Migration, report: Report) {
  const [first = '', ...rest] = sql.split(/^-- New transaction(?: per (\d+) rows of (\w+))?$/m)
  const steps = [{ sql: first, size: '', table: '' }]
  for (let at = 0; at < rest.length; at += 3) {
    steps.push({ size: rest[at] ?? '', table: rest[at + 1] ?? '', sql: rest[at + 2] ?? '' })
  }
  const record = 'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)'
  for (const [index, step] of steps.entries()) {
    const parts = step.table ? await batches(pool, step.table, step.size) : [{ from: 0, to: 0 }]
    for (const [done, { from, to }] of parts.entries()) {
      report(`step ${index + 1} of ${steps.length}, ${Math.floor((100 * done) / parts.length)} %`)
      const statement = step.table ? step.sql.replaceAll(':from', `${from}`).replaceAll(':to', `${to}`) : step.sql
      await retryOnLockTimeout(name, () =>
        inTransaction(pool, async (client) => {
          await client.query(`set local lock_timeout = ${TABLE_WAIT_MS}`)
          await client.query(statement)
          if (index === steps.length - 1) await client.query(record, [version, name, checksum])
        }),
      )
    }
  }
}

async function batches(pool: Pool, table: string, size: string) {
  const { rows } = await pool.query<{ from: number; to: number }>(
    `select first as from, first + ${size} - 1 as to
    from (select min(id), max(id) from ${table}) as ids, generate_series(ids.min, ids.max, ${size}) as first`,
  )
  return rows
}
