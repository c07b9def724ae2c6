import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Embedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { connect } from '../../src/db/open.ts'
import { makeDataDir, startPostgres } from './data-dir.ts'
import { startWatchdesk, type Watchdesk } from './watchdesk.ts'

/** The real app on a separate PostgreSQL, which the tests can stop, start and freeze. */
export function useOwnPostgres({ STATEMENT_TIMEOUT_MS = 5000, prepare = (_dir: string) => {} } = {}) {
  const { dir, remove } = makeDataDir()
  const watchdesk = {} as Watchdesk
  let postgres: Embedded
  let stop: () => Promise<void>

  beforeAll(async () => {
    prepare(dir)
    postgres = await startPostgres(dir)
    const database = connect(postgres.connection, { DATABASE_POOL_SIZE: 4, STATEMENT_TIMEOUT_MS })
    await migrate(database.pool)
    const started = await startWatchdesk({}, { database })
    stop = started.stop
    Object.assign(watchdesk, started.watchdesk)
  })
  afterAll(async () => {
    await stop()
    await postgres.stop()
    remove()
  })

  return {
    dir,
    watchdesk,
    connection: () => postgres.connection,
    pid: () => Number(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
    stop: () => postgres.stop(),
    async start() {
      postgres = await startPostgres(dir)
    },
    /** If not, like a primary during a switchover. */
    async takeWrites(on: boolean) {
      const client = new pg.Client(postgres.connection)
      await client.connect()
      await client.query(`alter system set default_transaction_read_only = ${on ? 'off' : 'on'}`)
      await client.query('select pg_reload_conf()')
      await client.end()
      const ready = async () => (await watchdesk.anonymous('GET', '/health/ready')).status
      while ((await ready()) !== (on ? 200 : 503)) await wait(20)
    },
  }
}
