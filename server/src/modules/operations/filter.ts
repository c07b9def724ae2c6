import type { OperationFilter } from '@watchdesk/contract/operations/operations'
import { type RawBuilder, sql } from 'kysely'
import { likePart } from '../../db/list.ts'

/** The conditions of the list, and of the numbers that lead to it. */
export function conditionsOf({ search, kind, state, created_by, from, to }: OperationFilter): RawBuilder<unknown>[] {
  return [
    search && likePart(sql`lower(coalesce(imports.name, '') || E'\n' || coalesce(imports.sheet_url, ''))`, search),
    kind && sql`imports.kind = ${kind}`,
    // A literal, for the sake of the index of those that failed.
    state && state !== 'undone' && sql`imports.state = ${sql.lit(state)}`,
    // The list shows 'Undone' instead of 'Done'.
    state === 'undone' && sql`imports.is_undone`,
    state === 'done' && sql`not imports.is_undone`,
    created_by && sql`imports.created_by = ${created_by}`,
    from && sql`imports.created_at >= ${from}::date::timestamp at time zone 'UTC'`,
    to && sql`imports.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`,
  ].filter((condition) => typeof condition === 'object')
}
