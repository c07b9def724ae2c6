import type { DashboardsChange } from '@watchdesk/contract/operations/changes'
import { sql } from 'kysely'
import { type ActionOnMany, type BulkKind, type BulkRow, edit, inRange, number } from '../operations/changes/kind.ts'
import { markWorkspaces } from './store.ts'

type DashboardRow = BulkRow & { workspaces: number[] }
type ChosenDashboard = { id: number; place: number; event_id: number }

export const dashboardsChange: BulkKind<DashboardsChange, DashboardRow> = {
  entities: { many: 'dashboards', one: 'dashboard' },
  table: 'powerbi_dashboards',
  actions: {
    delete: {
      verbs: { now: 'Delete', done: 'Deleted', row: 'deleted' },
      apply: show(false),
    },
    restore: { apply: show(true) },
  },
  columns: sql`name, null as detail, null as workspace_id, '{}'::json as fields, array(select workspaces.id
    from workspace_dashboards join workspaces on workspaces.id = workspace_id
    where dashboard_id = powerbi_dashboards.id and workspaces.deleted_at is null) as workspaces`,
  matches: (_actor, { ids }) =>
    sql`powerbi_dashboards.deleted_at is null and powerbi_dashboards.id = any(${ids}::int[])`,
  update: () => ({}),
  evaluate: async (_db, _actor, wanted) => wanted.map(() => ({})),
  tally() {
    const workspaces = new Set<number>()
    let attachments = 0
    return {
      add({ row }) {
        attachments += row.workspaces.length
        for (const id of row.workspaces) workspaces.add(id)
      },
      // Each workspace is changed once for each dashboard.
      others: () => attachments,
      notes: () => (workspaces.size > 0 ? [`${number(workspaces.size, 'workspace')} will no longer show them.`] : []),
    }
  },
}

/** One by one: the event of a workspace has its dashboards before and after. There are only dozens. */
function show(isShown: boolean): ActionOnMany['apply'] {
  const setting = [isShown ? sql`deleted_at = null` : sql`deleted_at = now()`]
  return async (trx, actor, range, change) => {
    const { rows } = await sql<ChosenDashboard>`select chosen.id, place, audit_events.id as event_id
      from chosen join audit_events on parent_id = ${change.event_id} and entity = 'dashboard' and entity_id = chosen.id
      where ${inRange(range)} order by place`.execute(trx)
    let changed = 0
    for (const { id, place, event_id } of rows) {
      changed += await edit(trx, actor, 'powerbi_dashboards', { from: place, to: place + 1 }, setting)
      await markWorkspaces(trx, actor, { dashboard_id: id, parent_id: event_id, isShown })
    }
    return changed
  }
}
