import { sql } from 'kysely'
import { retriedTransaction } from './deadlock.ts'
import type { SystemDb, Trx } from './open.ts'

/** Until the end of the transaction. */
export function moreTime(milliseconds: number) {
  const time = String(milliseconds)
  return sql`set_config('statement_timeout', ${time}, true),
    set_config('idle_in_transaction_session_timeout', ${time}, true)`
}

export function longTransaction<Result>(db: SystemDb, milliseconds: number, work: (trx: Trx) => Promise<Result>) {
  return retriedTransaction(db, async (trx) => {
    await sql`select ${moreTime(milliseconds)}`.execute(trx)
    return work(trx)
  })
}

/** In parts of `atOnce` rows, each in a transaction of its own, until `work` returns that it has found fewer. */
export async function inParts(db: SystemDb, milliseconds: number, atOnce: number, work: (trx: Trx) => Promise<number>) {
  let all = 0
  for (let count = atOnce; count === atOnce; all += count) count = await longTransaction(db, milliseconds, work)
  return all
}
