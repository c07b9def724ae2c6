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

/** Waits until a condition in SQL is true. */
export async function waitFor(pool: Pool, condition: string) {
  for (;;) {
    const { rows } = await pool.query<{ is_so: boolean }>(`select ${condition} as is_so`)
    if (rows[0]?.is_so) return
    await wait(5)
  }
}
