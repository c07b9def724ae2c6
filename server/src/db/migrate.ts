import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import { StartError } from '../env.ts'

const MIGRATIONS = new URL('../../src/db/migrations/', import.meta.url)
const MIGRATION_LOCK = 7_238_002

type Migration = { version: number; name: string; sql: string; checksum: string }

/** Brings the schema up to date. Replicas that start together take turns; a killed run leaves whole steps only. */
export async function migrate(pool: Pool, { upTo = Number.POSITIVE_INFINITY } = {}) {
  const migrations = await readMigrations()
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
    )`)
    const applied = await appliedMigrations(client)
    refuseStrangers(applied, migrations)
    for (const migration of migrations) {
      if (migration.version <= upTo && !applied.has(migration.version)) await apply(client, migration)
    }
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => {})
    // The connection had its time-out lifted: it does not go back to the others.
    client.release(true)
  }
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

async function appliedMigrations(client: PoolClient) {
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

async function apply(client: PoolClient, migration: Migration) {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
