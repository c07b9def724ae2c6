import pg from 'pg'
import { isOutdated } from './named-client.ts'
import type { SystemDb, Trx } from './open.ts'

const DEADLOCK = '40P01'
const MAX_TRIES = 4

/** Retries a transaction that PostgreSQL ended because of a deadlock, or because a prepared statement is outdated. */
export async function retryOnDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      const isRetried = (error instanceof pg.DatabaseError && error.code === DEADLOCK) || isOutdated(error)
      if (tries === MAX_TRIES || !isRetried) throw error
    }
  }
}

export function retriedTransaction<Result>(db: SystemDb, work: (trx: Trx) => Promise<Result>) {
  return retryOnDeadlock(() => db.transaction().execute(work))
}
