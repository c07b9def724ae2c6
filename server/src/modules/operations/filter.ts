import type { OperationFilter } from '@watchdesk/contract/operations/operations'
import { type RawBuilder, sql } from 'kysely'
import { likePart } from '../../db/list.ts'

/** The conditions of the list, and of the numbers that lead to it. */
export function conditionsOf({ search, kind, state, created_by, from, to }: OperationFilter): RawBuilder<unknown>[] {
  return [
    search &&
      likePart(sql`lower(coalesce(operations.name, '') || E'\n' || coalesce(operations.sheet_url, ''))`, search),
    kind && sql`operations.kind = ${kind}`,
    // A literal, for the sake of the index of those that failed.
    state && state !== 'undone' && sql`operations.state = ${sql.lit(state)}`,
    // The list shows 'Undone' instead of 'Done'.
    state === 'undone' && sql`operations.is_undone`,
    state === 'done' && sql`not operations.is_undone`,
    created_by && sql`operations.created_by = ${created_by}`,
    from && sql`operations.created_at >= ${from}::date::timestamp at time zone 'UTC'`,
    to && sql`operations.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`,
  ].filter((condition) => typeof condition === 'object')
}
