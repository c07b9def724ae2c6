import { type RawBuilder, sql } from 'kysely'

/** The day of a time, in UTC. */
export function dayOf(time: RawBuilder<unknown>) {
  return sql<string>`((${time}) at time zone 'UTC')::date`
}

/** By the clock of the database, which is the same for all servers. */
export const TODAY = dayOf(sql`now()`)
