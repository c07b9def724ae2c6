import { sql } from 'kysely'
import type { Trx } from './open.ts'

/** Raises the statement timeout for the rest of a transaction that changes many rows. */
export async function allowTime(trx: Trx, milliseconds: number) {
  await sql`select ${moreTime(milliseconds)}`.execute(trx)
}

export function moreTime(milliseconds: number) {
  const time = String(milliseconds)
  return sql`set_config('statement_timeout', ${time}, true),
    set_config('idle_in_transaction_session_timeout', ${time}, true)`
}
