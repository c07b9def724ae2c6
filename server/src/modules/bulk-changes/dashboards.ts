import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import { markWorkspaces } from '../dashboards/store.ts'
import { type BulkAction, type BulkKind, inRange, number, type Range } from './kind.ts'

export const dashboardsKind: BulkKind<'dashboards_change'> = {
  name: 'dashboards_change',
  entities: { many: 'dashboards', one: 'dashboard' },
  table: 'powerbi_dashboards',
  record: { name: sql`powerbi_dashboards.name`, detail: sql`null::text`, detailColumn: null },
  workspace_id: sql`null::int`,
  current: sql`'{}'::jsonb`,
  matches: (_actor, { ids }) =>
    sql`powerbi_dashboards.deleted_at is null and powerbi_dashboards.id = any(${ids}::int[])`,
  wanted: () => sql`'{}'::jsonb`,
  hasEffect: () => sql`true`,
  refusal: () => sql`null::text`,
  async check() {},
  // Each workspace is changed once for each dashboard.
  facts: () => sql`select count(distinct workspaces.id) as workspaces, count(*) as others from judged
    join workspace_dashboards as places on places.dashboard_id = judged.id
    join workspaces on workspaces.id = places.workspace_id and workspaces.deleted_at is null`,
  notes: ({ workspaces = 0 }) =>
    workspaces > 0 ? [`${number(workspaces, 'workspace')} will no longer show them.`] : [],
  apply,
  words: async (_db, _body, count, isDone) => `${isDone ? 'Deleted' : 'Delete'} ${number(count, 'dashboard')}`,
}

/** One by one: the event of a workspace has its dashboards before and after. There are only dozens. */
async function apply(trx: Trx, actor: Actor, action: BulkAction, range: Range) {
  const isDeleted = action === 'delete'
  const { rows } = await sql<{ id: number; event_id: number }>`select chosen.id, (
      select max(audit_events.id) from audit_events where entity = 'dashboard' and entity_id = chosen.id) as event_id
    from chosen where ${inRange(range)} order by place`.execute(trx)
  let changed = 0
  for (const { id, event_id } of rows) {
    const { numAffectedRows } = await sql`update powerbi_dashboards
      set deleted_at = ${isDeleted ? sql`now()` : sql`null`}, version = powerbi_dashboards.version + 1, updated_at = now(),
        updated_by = ${actor.id}::int
      from chosen where chosen.id = ${id} and powerbi_dashboards.id = chosen.id
        and powerbi_dashboards.version = chosen.version`.execute(trx)
    changed += Number(numAffectedRows ?? 0)
    await markWorkspaces(trx, actor, { dashboard_id: id, parent_id: event_id, isDeleted })
  }
  return changed
}
