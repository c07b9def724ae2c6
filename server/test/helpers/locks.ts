import { setTimeout as wait } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import { onTestFinished } from 'vitest'

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
export async function waitForLocks(pool: Pool, count = 1) {
  for (;;) {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length >= count) return rows.map(({ pid }) => pid)
    await wait(5)
  }
}

/** Waits until a condition in SQL is true. */
export async function waitFor(pool: Pool, condition: string) {
  for (;;) {
    const { rows } = await pool.query<{ is_so: boolean }>(`select ${condition} as is_so`)
    if (rows[0]?.is_so) return
    await wait(5)
  }
}
