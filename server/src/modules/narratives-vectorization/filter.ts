import type { RunFilter } from '@watchdesk/contract/narratives-vectorization'
import { type RawBuilder, sql } from 'kysely'

export function conditionsOf({ status, from, to }: RunFilter): RawBuilder<unknown>[] {
  return [
    // A literal, for the sake of the indexes of those that failed and of the unfinished.
    status && sql`vectorization_runs.status = ${sql.lit(status)}`,
    from && sql`vectorization_runs.created_at >= ${from}::date::timestamp at time zone 'UTC'`,
    to && sql`vectorization_runs.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`,
  ].filter((condition) => typeof condition === 'object')
}
