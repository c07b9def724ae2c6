import { setTimeout as wait } from 'node:timers/promises'
import pg, { type Pool, type PoolClient } from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { Watchdesk } from './watchdesk.ts'

const PATIENCE_MS = 60_000

/**
 * Keeps everything that writes to the sources waiting, such as a job in the middle of its transaction, until the returned
 * function is called or the test has failed. On a separate connection: the pool would not close without it.
 */
export async function holdSources({ options }: Pool, mode: 'share row exclusive' | 'access exclusive') {
  const client = new pg.Client(options)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`begin; lock table sources in ${mode} mode`)
  return () => client.query('rollback')
}

type Statements = string | ((client: PoolClient) => Promise<unknown>)

/**
 * What calls answer that were made while another transaction, which has done `first`, was open. It ends when `start`
 * returns them.
 */
export async function during<const Calls extends readonly unknown[]>(
  pool: Pool,
  first: Statements,
  start: () => Promise<Calls>,
) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await (typeof first === 'string' ? client.query(first) : first(client))
    const calls = await start()
    await client.query('commit')
    return await Promise.all(calls)
  } finally {
    client.release(true)
  }
}

/** The same for calls that wait for the transaction, one after the other. */
export function afterWaiting<Answer>(pool: Pool, first: Statements, ...calls: (() => Promise<Answer>)[]) {
  return during(pool, first, async () => {
    const started: Promise<Answer>[] = []
    for (const call of calls) {
      started.push(call())
      await waitForLocks(pool, started.length)
    }
    return started
  })
}

/** Twelve imports wait for the transaction, one more is rejected, and other calls get a response meanwhile. */
export async function expectTurns(
  { database, admin }: Pick<Watchdesk, 'database' | 'admin'>,
  first: Statements,
  status: number,
  send: () => Promise<{ status: number; body: unknown }>,
) {
  const answers = await during(database.pool, first, async () => {
    const waiting = Array.from({ length: 13 }, send)
    expect(await Promise.race(waiting)).toMatchObject({
      status: 503,
      body: { detail: 'Too many imports and exports are running. Try again in a minute.' },
    })
    expect((await admin('GET', '/api/v1/users/me')).status).toBe(200)
    return waiting
  })
  expect(answers.filter((answer) => answer.status === status)).toHaveLength(12)
}

/** Waits until at least that many backends of the database wait for a lock, and returns their process ids. */
export function waitForLocks(pool: Pool, count = 1) {
  return until(pool, async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length >= count ? rows.map(({ pid }) => pid) : undefined
  })
}

/** Waits until a condition in SQL is true. */
export function waitFor(pool: Pool, condition: string) {
  return until(pool, async () => {
    const { rows } = await pool.query<{ is_so: boolean }>(`select ${condition} as is_so`)
    return rows[0]?.is_so || undefined
  })
}

/** Fails before the test times out, which would not say what the database does. */
async function until<Result>(pool: Pool, ask: () => Promise<Result | undefined>): Promise<Result> {
  const started = Date.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() - started > PATIENCE_MS) throw new Error(`Nothing came of it: ${await describe(pool)}`)
    await wait(5)
  }
}

async function describe(pool: Pool) {
  const { rows: backends } = await pool.query(
    `select pid, state, wait_event, now() - xact_start as since, left(query, 300) as query from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() order by xact_start`,
  )
  const { rows: jobs } = await pool.query('select id, kind, state, error, attempts from jobs order by id desc limit 3')
  return JSON.stringify({ backends, jobs })
}
