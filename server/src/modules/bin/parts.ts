import type { BinKind } from '@watchdesk/contract/bin'
import { type RawBuilder, sql } from 'kysely'

/** The kinds whose records are parts of the event when they are removed for good. There may be too many sources. */
export type PartKind = Exclude<BinKind, 'source'>

/** The deleted records that are about to be removed for good, as parts of one event. */
export function removedRecords(kind: PartKind, which: RawBuilder<boolean>) {
  const unchanged = sql`null::int as version, '{}'::jsonb as changes`
  if (kind === 'user') {
    return sql`select id as entity_id, full_name as record_name, email as record_detail, workspace_id, ${unchanged}
      from users where ${which} order by id`
  }
  const { table, name, workspace_id } = OTHERS[kind]
  return sql`select id as entity_id, ${name} as record_name, null as record_detail, ${workspace_id} as workspace_id,
    ${unchanged} from ${table} where ${which} order by id`
}

const NO_WORKSPACE = sql`null::int`
const OTHERS = {
  workspace: { table: sql`workspaces`, name: sql`name`, workspace_id: sql`id` },
  dashboard: { table: sql`powerbi_dashboards`, name: sql`name`, workspace_id: NO_WORKSPACE },
  sheet: { table: sql`sheets`, name: sql`title`, workspace_id: NO_WORKSPACE },
}
