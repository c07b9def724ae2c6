import { type RawBuilder, sql } from 'kysely'
import type { Trx } from './open.ts'

/** The day of a time, in UTC. */
export function dayOf(time: RawBuilder<unknown>) {
  return sql<string>`((${time}) at time zone 'UTC')::date`
}

/** By the clock of the database, which is the same for all servers. */
export const TODAY = dayOf(sql`now()`)

export async function readToday(trx: Trx) {
  const { rows } = await sql<{ today: string }>`select ${TODAY}::text as today`.execute(trx)
  return rows[0]?.today ?? ''
}
