import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Embedded } from '../../src/db/embedded.ts'
import { makeDataDir, startPostgres } from '../helpers/data-dir.ts'
import { isForSessions, isWrite, readOperations } from '../helpers/operations.ts'
import { useOwnPostgres } from '../helpers/own-postgres.ts'
import { runMain, startBuilt } from '../helpers/replica.ts'
import { addressOf, validCall } from '../helpers/requests.ts'
import { ADMIN } from '../helpers/watchdesk.ts'

const postgres = useOwnPostgres()
const { watchdesk, dir } = postgres
/** Single sign-on is not set up here. */
const writes = (await readOperations()).filter(
  (operation) => isWrite(operation) && isForSessions(operation) && operation.path !== '/api/v1/login/sso',
)

/** Calls used here that have nothing to change. */
const UNCHANGED = ['POST /api/v1/airflow/vectorize-narrative/{execution_date}/batch']

/** Like a primary during a switchover. */
async function takeWrites(on: boolean) {
  const client = new pg.Client(postgres.connection())
  await client.connect()
  await client.query(`alter system set default_transaction_read_only = ${on ? 'off' : 'on'}`)
  await client.query('select pg_reload_conf()')
  await client.end()
  while ((await ready()) !== (on ? 200 : 503)) await wait(20)
}

async function ready() {
  return (await watchdesk.anonymous('GET', '/health/ready')).status
}

test('while the database is read-only, every write and sign-in fails with 503, reads succeed, and the server is not ready', async () => {
  const calls = []
  for (const operation of writes) {
    const address = await addressOf(watchdesk, operation, 'foreign', 1)
    calls.push({ operation, address, call: validCall(operation, 1) })
  }
  await watchdesk.database.pool.query(`update sessions set last_seen_at = now() - interval '2 hours'`)
  await takeWrites(false)
  const wrong = []
  for (const { operation, address, call } of calls) {
    const { status, headers, body } = await watchdesk.admin(operation.method, address, ...call)
    const detail = JSON.stringify(body)
    if (status !== 503 || !headers['retry-after'] || !detail.includes('does not accept changes')) {
      wrong.push([operation.name, status, detail])
    }
  }
  expect(wrong.map(([name, status]) => [name, status])).toEqual(UNCHANGED.map((name) => [name, 200]))
  expect(writes.length).toBeGreaterThan(15)
  expect((await watchdesk.anonymous('POST', '/api/v1/login', ADMIN)).status).toBe(503)
  expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
  expect((await watchdesk.anonymous('GET', '/health/live')).status).toBe(200)

  await takeWrites(true)
  await watchdesk.signIn(ADMIN.email, ADMIN.password)
  await watchdesk.createUser({})
})

test('starting on a read-only database fails with a one-line error', async () => {
  await takeWrites(false)
  try {
    expect(await runMain({ DATABASE_URL: urlOf(postgres.connection()) })).toEqual({
      code: 1,
      output:
        'The database of DATABASE_URL is read-only: set default_transaction_read_only to off for its role and database\n',
    })
  } finally {
    await takeWrites(true)
  }
})

test('starting on a standby fails with a one-line error, and succeeds once it is promoted', async () => {
  const { dir: copy, remove } = makeDataDir()
  await postgres.stop()
  cpSync(join(dir, 'postgres'), join(copy, 'postgres'), { recursive: true, preserveTimestamps: true })
  await postgres.start()
  writeFileSync(join(copy, 'postgres/standby.signal'), '')
  chmodSync(join(copy, 'postgres'), 0o700)
  const { uid, gid } = statSync(join(dir, 'postgres'))
  execFileSync('chown', ['-R', `${uid}:${gid}`, join(copy, 'postgres')])
  const standby = await startPostgres(copy)
  try {
    expect(await runMain({ DATABASE_URL: urlOf(standby.connection) })).toEqual({
      code: 1,
      output: 'DATABASE_URL points to a standby, which is read-only: set it to the address of the primary\n',
    })
    const client = new pg.Client(standby.connection)
    await client.connect()
    await client.query('select pg_promote()')
    await client.end()
    // The test before this one has added authenticator apps.
    const SECRET_KEY = readFileSync(join(watchdesk.deps.env.DATA_DIR, 'secret-key'), 'utf8').trim()
    const server = await startBuilt({ DATABASE_URL: urlOf(standby.connection), SECRET_KEY })
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  } finally {
    await standby.stop()
    remove()
  }
})

function urlOf({ user, database, host }: Embedded['connection']) {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}
