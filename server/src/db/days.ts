import { type RawBuilder, sql } from 'kysely'
import type { SystemDb, Trx } from './open.ts'

export function dayOf(time: RawBuilder<unknown>) {
  return sql<string>`((${time}) at time zone 'UTC')::date`
}

/** By the clock of the database, which is the same for all servers. */
export const TODAY = dayOf(sql`now()`)

/** Such as 2026-11-17. */
export async function readToday(db: SystemDb | Trx) {
  const { rows } = await sql<{ today: string }>`select ${TODAY}::text as today`.execute(db)
  return rows[0]?.today ?? ''
}
