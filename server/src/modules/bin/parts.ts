import type { BinKind } from '@watchdesk/contract/bin'
import { type RawBuilder, sql } from 'kysely'

/** The deleted records that are about to be removed for good, as parts of one event. */
export function removedRecords(kind: BinKind, which: RawBuilder<boolean>) {
  const unchanged = sql`null::int as version, '{}'::jsonb as changes`
  if (kind === 'user') {
    return sql`select id as entity_id, full_name as record_name, email as record_detail, workspace_id, ${unchanged}
      from users where ${which} order by id`
  }
  const [table, workspace_id] =
    kind === 'workspace' ? [sql`workspaces`, sql`id`] : [sql`powerbi_dashboards`, sql`null::int`]
  return sql`select id as entity_id, name as record_name, null as record_detail, ${workspace_id} as workspace_id,
    ${unchanged} from ${table} where ${which} order by id`
}
