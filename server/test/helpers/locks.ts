import { setTimeout as wait } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import { onTestFinished } from 'vitest'

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
