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

type Migration = { version: number; name: string; sql: string; checksum: string }

/**
 * Migrates the schema. If it is up to date, nothing is written, so a role that can only read and write rows can start
 * the server. Replicas that start together are serialized; a killed run leaves only complete steps.
 */
export async function migrate(pool: Pool, { upTo = Number.POSITIVE_INFINITY } = {}) {
  const migrations = await readMigrations()
  const applied = await appliedMigrations(pool)
  refuseStrangers(applied, migrations)
  const pending = migrations.filter(({ version }) => version <= upTo && !applied.has(version))
  if (pending.length === 0 && applied.size > 0) return
  await requireSchemaRights(
    pool,
    pending.map(({ name }) => name),
  )
  await locked(pool, (client) => client.query(CREATE_MIGRATIONS))
  for (const migration of pending) {
    await retryOnLockTimeout(migration, () => locked(pool, (client) => apply(client, migration, migrations)))
  }
}

/** A backup, or an import of an earlier release that is still running, may lock a table for minutes. */
async function retryOnLockTimeout({ name }: Migration, step: () => Promise<void>) {
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
      return { version: Number.parseInt(file, 10), name: file, sql, checksum }
    }),
  )
}

async function appliedMigrations(client: Pool | PoolClient) {
  const { rows: known } = await client.query<{ may_read: boolean }>(
    `select has_table_privilege(oid, 'select') as may_read from pg_class where oid = to_regclass('schema_migrations')`,
  )
  if (!known[0]) return new Map<number, Migration>()
  if (!known[0].may_read) await requireRowRights(client)
  const { rows } = await client.query<Migration>('select version, name, checksum from schema_migrations')
  return new Map(rows.map((row) => [row.version, row]))
}

function refuseStrangers(applied: Map<number, Migration>, migrations: Migration[]) {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  for (const { version, name, checksum } of applied.values()) {
    if (!known.has(version))
      throw new StartError(`The database is newer than this release: it has the migration ${name}`)
    if (known.get(version)?.checksum !== checksum)
      throw new StartError(`The migration ${name} was changed after it had run`)
  }
}

/**
 * All in one transaction, including the lock and the disabled statement timeout: otherwise a connection pooler may use
 * a different connection for each.
 */
async function locked(pool: Pool, work: (client: PoolClient) => Promise<unknown>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await work(client)
    await client.query('commit')
    client.release()
  } catch (error) {
    // Closing the connection rolls it back.
    client.release(true)
    throw error
  }
}

async function apply(client: PoolClient, migration: Migration, migrations: Migration[]) {
  const applied = await appliedMigrations(client)
  refuseStrangers(applied, migrations)
  // Another replica was faster.
  if (applied.has(migration.version)) return
  await client.query(`set local lock_timeout = ${TABLE_WAIT_MS}`)
  await client.query(migration.sql)
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.checksum,
  ])
}
