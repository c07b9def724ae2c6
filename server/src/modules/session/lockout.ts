import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SystemDb } from '../../db/open.ts'
import { tooManySignIns } from './passwords.ts'

const MOST_FAILURES = 10
const LOCKED_FOR = sql`interval '10 minutes'`
const FAILURES_AFTER = { right: sql<number>`0`, wrong: sql<number>`failures + 1`, unchecked: sql<number>`failures` }
/** An attempt that was never settled belongs to a process that died. */
const PENDING_AT_MOST = sql`interval '30 seconds'`

/**
 * Counts failed logins per email in the database, for all replicas. An attempt is entered before the password is
 * checked and settled after, so that no burst gets more than ten passwords checked; it counts only once it has failed.
 */
export function createLockout(db: SystemDb) {
  return { enter, settle }

  /** False while the email is locked. */
  async function enter(email: string): Promise<boolean> {
    const deadline = Date.now() + 10_000
    while (Date.now() < deadline) {
      const { rows } = await sql<{ entered: boolean; failures: number }>`
        with entered as (
          insert into login_failures as known (email, failures, pending, changed_at)
          values (${email}, 0, 1, now())
          on conflict (email) do update set
            failures = ${failures('known')}, pending = ${pending('known')} + 1, changed_at = now()
            where ${failures('known')} + ${pending('known')} < ${MOST_FAILURES}
          returning failures
        )
        select true as entered, failures from entered
        union all
        select false, ${failures('known')} from login_failures known
          where email = ${email} and not exists (select from entered)`.execute(db)
      const [row] = rows
      if (row?.entered) return true
      if (row && row.failures >= MOST_FAILURES) return false
      // Others are being checked right now: whether this one is still allowed depends on how they end.
      await wait(25)
    }
    throw tooManySignIns()
  }

  async function settle(email: string, password: 'right' | 'wrong' | 'unchecked') {
    await db
      .updateTable('login_failures')
      .set({
        failures: FAILURES_AFTER[password],
        pending: sql`greatest(pending - 1, 0)`,
        changed_at: sql`now()`,
      })
      .where('email', '=', email)
      .execute()
  }
}

function failures(table: string) {
  return sql`case when ${sql.ref(`${table}.changed_at`)} < now() - ${LOCKED_FOR} then 0 else ${sql.ref(`${table}.failures`)} end`
}

function pending(table: string) {
  return sql`case when ${sql.ref(`${table}.changed_at`)} < now() - ${PENDING_AT_MOST} then 0 else ${sql.ref(`${table}.pending`)} end`
}
