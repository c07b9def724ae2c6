import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'

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
