import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compactLists } from '@watchdesk/server/db/list-totals'
import { migrate } from '@watchdesk/server/db/migrate'
import { connect, type SystemDb } from '@watchdesk/server/db/open'
import type { Pool } from 'pg'
import { NO_LOAD_SHEDDING, startServer } from '../../scripts/start-server.mjs'
import type { Contender } from './contender.ts'
import { openDatabase } from './database.ts'
import { pagesOf } from './inputs.ts'
import { parentOf } from './process-usage.ts'
import { seed, USERS } from './seed.ts'
import { ourWorks } from './works.ts'

const ADMIN = { email: 'bench@watchdesk.local', password: 'bench and nothing else' }
const BASELINE = [process.execPath, fileURLToPath(new URL('./baseline.js', import.meta.url))]

export type Bench = Awaited<ReturnType<typeof openBench>>

/** A database with this many users in a folder of `bench/`, and the servers on it. It is kept for the next run. */
export async function openBench(folder: string, users = USERS) {
  const database = await openDatabase(folder)
  const { databaseUrl } = database
  const { db, pool, close } = connect(database.connection, { DATABASE_POOL_SIZE: 2, STATEMENT_TIMEOUT_MS: 0 })
  const logs = await mkdtemp(join(tmpdir(), 'watchdesk-bench-'))
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = await parentOf(rows[0]?.pid ?? 0)
  const abort = new AbortController()
  // In case the benchmark fails or is interrupted.
  process.once('exit', end)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const settings = {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...NO_LOAD_SHEDDING,
  }
  await migrate(pool)
  // The server creates the first super admin in an empty database; the rest is seeded afterwards.
  const first = await startServer(settings, { signal: abort.signal })
  const headers = { authorization: `Bearer ${await signIn(first.url)}` }
  await first.stop()
  await seed(pool, users)
  await tidy(db, pool)

  return { databaseUrl, postmaster, start, stop, untilIdle }

  /** Each writes its log into a file. */
  async function start(name: 'Watchdesk' | 'Baseline'): Promise<Contender> {
    const logFile = join(logs, randomUUID())
    const options = { logFile, signal: abort.signal, ...(name === 'Baseline' && { command: BASELINE }) }
    const server = await startServer(settings, options)
    return { ...server, name, headers, works: ourWorks(pagesOf(users)) }
  }

  /** Waits until no statement runs. */
  async function untilIdle() {
    const running = `select from pg_stat_activity
      where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`
    while ((await pool.query(running)).rowCount) await wait(20)
  }

  function end() {
    abort.abort()
    rmSync(logs, { recursive: true, force: true })
    process.kill(postmaster, 'SIGINT')
  }

  async function stop() {
    await tidy(db, pool)
    await close()
    await database.stop()
    await rm(logs, { recursive: true })
    process.off('exit', end)
  }
}

async function signIn(url: string) {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

/** Removes what a run created and cleans up after its edits, so that the next run finds the same tables. */
async function tidy(db: SystemDb, pool: Pool) {
  // Without the index, the foreign key would scan all users for each workspace.
  await pool.query('create index if not exists bench_users_of_workspace on users (workspace_id)')
  await pool.query(`delete from workspaces where name like 'Created by the benchmark %'`)
  await pool.query('drop index bench_users_of_workspace')
  await compactLists(db)
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}
