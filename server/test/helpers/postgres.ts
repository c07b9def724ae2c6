import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { makeDataDir, startPostgres } from './data-dir.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: pg.ClientConfig
  }
}

export const TEMPLATE = 'watchdesk_test_template'

/** One PostgreSQL for all test files, with a migrated template from which each file clones its database. */
export default async function setup(project: TestProject) {
  const server = process.env.DATABASE_URL ? externalServer(process.env.DATABASE_URL) : await temporaryServer()
  project.provide('postgres', server.connection)

  const admin = new pg.Client(server.connection)
  await admin.connect()
  await dropTestDatabases(admin)
  await admin.query(`create database ${TEMPLATE}`)
  const pool = new pg.Pool({ ...server.connection, database: TEMPLATE })
  await migrate(pool)
  await pool.end()

  return async () => {
    await dropTestDatabases(admin)
    await admin.end()
    await server.stop()
  }
}

function externalServer(url: string) {
  const { hostname, port, username, password } = new URL(url)
  const connection = {
    host: new URL(url).searchParams.get('host') ?? hostname,
    port: Number(port) || 5432,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: 'postgres',
  }
  return { connection, stop: async () => {} }
}

/** Nothing has to survive a crash of this server. */
const NOT_DURABLE = {
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
}

async function temporaryServer() {
  const { dir, remove } = makeDataDir()
  const embedded = await startPostgres(dir, { max_connections: '300', ...NOT_DURABLE })
  const pid = Number.parseInt(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8'), 10)
  // Ctrl+C ends Vitest without the teardown.
  const abandon = () => {
    process.kill(pid, 'SIGQUIT')
    remove()
  }
  process.once('exit', abandon)
  return {
    connection: embedded.connection,
    async stop() {
      process.off('exit', abandon)
      await embedded.stop()
      remove()
    },
  }
}

async function dropTestDatabases(admin: pg.Client) {
  const { rows } = await admin.query(`select datname from pg_database where datname like 'watchdesk_test_%'`)
  for (const { datname } of rows) await admin.query(`drop database "${datname}" with (force)`)
}
