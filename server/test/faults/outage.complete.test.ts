import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { insertNarrative, untilRunsEnd } from '../helpers/narratives.ts'
import { isForSessions, isWrite, readOperations } from '../helpers/operations.ts'
import { useOwnPostgres } from '../helpers/own-postgres.ts'
import { addressOf, validCall } from '../helpers/requests.ts'
import { ADMIN } from '../helpers/watchdesk.ts'

const postgres = useOwnPostgres({ STATEMENT_TIMEOUT_MS: 1000 })
const { watchdesk, takeWrites } = postgres
/** Single sign-on is not set up here. */
const writes = (await readOperations()).filter(
  (operation) => isWrite(operation) && isForSessions(operation) && operation.path !== '/api/v1/login/sso',
)

/** Calls used here that have nothing to change. */
const UNCHANGED = ['POST /api/v1/airflow/vectorize-narrative/{execution_date}/batch']

const LIMIT_MS = 2000

test('while the database is down, calls fail with 503 immediately, never 401, and succeed when it is back', async () => {
  await postgres.stop()
  await expectInTime(outage)
  await postgres.start()
  await expectRecovery()
})

test('while the database is frozen, calls fail with 503 within two seconds, and succeed when it resumes', async () => {
  // With an open connection for each call: new connections would fail for a simpler reason.
  await Promise.all(Array.from({ length: 8 }, () => watchdesk.admin('GET', '/api/v1/users/')))
  const pids = processesOfDatabase()
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await expectInTime(outage)
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await expectRecovery()
})

test('a statement that takes too long is cancelled with an error, while other calls continue', async () => {
  const user = await watchdesk.createUser({})
  const other = new pg.Client(postgres.connection())
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select from users where id = $1 for update', [user.id])
    const blocked = watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { first_name: 'Late' })
    expect((await watchdesk.admin('GET', '/api/v1/users/me')).status).toBe(200)
    const response = await blocked
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toBeDefined()
    expect(response.body.detail).toBe('The request took too long, so the server stopped it. Try again in a moment.')
  } finally {
    await other.end()
  }
  const after = await watchdesk.admin('GET', `/api/v1/users/${user.id}`)
  expect(after.body).toEqual(user)
})

test('a change that conflicts with another is reported as a conflict', async () => {
  const user = await watchdesk.createUser({})
  const { pool } = watchdesk.database
  await pool.query(`create function collide() returns trigger language plpgsql as
    $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`)
  await pool.query('create trigger collide before update on users for each row execute function collide()')
  try {
    const { status, body, headers } = await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { first_name: 'X' })
    expect([status, body.detail]).toEqual([503, 'Someone else changed the same data at the same time. Try again.'])
    expect(headers['retry-after']).toBeDefined()
  } finally {
    await pool.query('drop function collide cascade')
  }
})

test('when all connections are in use, further calls are rejected in time instead of waiting forever', async () => {
  const taken = await Promise.all(Array.from({ length: 4 }, () => watchdesk.database.pool.connect()))
  await expectInTime(async () => {
    const { status, ms } = await timed(() => watchdesk.admin('GET', '/api/v1/users/'))
    expect(status).toBe(503)
    return ms
  })
  for (const client of taken) client.release()
  expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
})

test('a vectorization run resumes after the last saved batch when the database is back', async () => {
  const stories = Array.from({ length: 2000 }, (_, index) => ({ story: `Story number ${index} of a long narrative` }))
  await insertNarrative(watchdesk, 1, stories)
  const errors: unknown[] = []
  watchdesk.deps.vectorizing.start((error) => errors.push(error))
  const body = { narrative_id: 1, platforms: [], content_types: [] }
  expect((await watchdesk.admin('POST', '/api/v1/airflow/vectorize-narrative', body)).status).toBe(200)
  const progress = async () => (await watchdesk.database.pool.query('select * from vectorization_runs')).rows[0]
  while ((await progress()).done_count === 0) await wait(5)
  await postgres.stop()
  while (errors.length === 0) await wait(5)
  await postgres.start()
  await untilRunsEnd(watchdesk)
  expect(await progress()).toMatchObject({ status: 'success', done_count: 2000, attempts: 0 })
})

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

/** Retries twice, because the machine may be busy with other tests. */
async function expectInTime(ask: () => Promise<number>) {
  let ms = await ask()
  for (let tries = 1; tries < 3 && ms >= LIMIT_MS; tries += 1) ms = await ask()
  expect(ms).toBeLessThan(LIMIT_MS)
}

/** The duration of the slowest call. */
async function outage() {
  const [list, login, ready, live] = await Promise.all([
    timed(() => watchdesk.admin('GET', '/api/v1/users/')),
    timed(() => watchdesk.anonymous('POST', '/api/v1/login', ADMIN)),
    timed(() => watchdesk.anonymous('GET', '/health/ready')),
    timed(() => watchdesk.anonymous('GET', '/health/live')),
  ])
  for (const response of [list, login, ready]) {
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toBeDefined()
  }
  expect(live.status).toBe(200)
  return Math.max(list.ms, login.ms, ready.ms)
}

async function expectRecovery() {
  const deadline = Date.now() + 5000
  while ((await watchdesk.admin('GET', '/api/v1/users/')).status !== 200) {
    expect(Date.now()).toBeLessThan(deadline)
    await wait(50)
  }
  expect((await watchdesk.anonymous('GET', '/health/ready')).status).toBe(200)
}

async function timed<Result>(call: () => Promise<Result>) {
  const start = performance.now()
  const result = await call()
  return { ...result, ms: performance.now() - start }
}

function processesOfDatabase() {
  const pid = postgres.pid()
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
  return [pid, ...children.map(([child]) => child ?? 0)]
}
