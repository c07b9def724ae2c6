import { type RawBuilder, sql } from 'kysely'

/** A time as the API returns it, in UTC. Null stays null. */
export function isoTime(time: RawBuilder<unknown>) {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
