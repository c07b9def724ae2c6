import {
  type DashboardWorkspacesChange,
  type DashboardWorkspacesChanged,
  dashboardWorkspaceList,
} from '@watchdesk/contract/dashboards'
import { LIST_LENGTH } from '@watchdesk/contract/limits'
import type { ListQuery } from '@watchdesk/contract/list'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, auditParts } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import { listPage, matches } from '../../db/list.ts'
import type { Trx } from '../../db/open.ts'
import { lockRecord } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { conflict, found, invalid } from '../../problem.ts'
import { isLive, listedDashboards } from '../workspaces/dashboards.ts'
import { DASHBOARD, workspacesCount } from './record.ts'

type Attachment = DashboardWorkspacesChanged['attached'][number]
type WorkspacesToAttach = NonNullable<DashboardWorkspacesChange['attach']>

export function dashboardWorkspaces({ db, read, rights }: Deps) {
  return { list, change }

  async function list(id: number, query: ListQuery<typeof dashboardWorkspaceList>) {
    const dashboard = db.selectFrom('powerbi_dashboards').select('id').where('id', '=', id)
    found((await read(dashboard.where('deleted_at', 'is', null)))[0], 'Dashboard')
    return listPage(read, {
      table: 'workspaces',
      options: dashboardWorkspaceList,
      query,
      filters: [
        sql`workspaces.id in (select workspace_id from workspace_dashboards where dashboard_id = ${id})`,
        matches('workspaces.search_text', query.search),
      ],
      rows: (workspace_id) =>
        db
          .selectFrom('workspaces')
          .select(['workspaces.id', 'workspaces.name', 'workspaces.description', 'workspaces.status'])
          .where('workspaces.id', '=', workspace_id),
    })
  }

  /** Recorded in the history of each workspace, as if its dashboards had been edited there. */
  function change(actor: Actor, id: number, { attach = [], detach = [] }: DashboardWorkspacesChange) {
    return rights.write(actor, async (trx) => {
      // Before its workspaces, in the order of all writes that lock both.
      const { name } = await lockRecord(trx, DASHBOARD, id)
      await lockWorkspaces(trx, attach, detach)
      const counted = trx.selectFrom('powerbi_dashboards').select(workspacesCount).where('id', '=', id)
      const { workspaces_count: before } = await counted.executeTakeFirstOrThrow()
      const detached = await attachmentsOf(trx, id, detach)
      const attached = await insertAttachments(trx, id, attach)
      if (attached.length + detached.length === 0) return { attached, detached }
      const after = before + attached.length - detached.length
      const parent_id = await audit(trx, actor, {
        action: 'update',
        entity: 'dashboard',
        entity_id: id,
        // Its own fields have not changed, so its version stays.
        record: { name },
        changes: { workspaces: { before, after } },
      })
      await recordWorkspaces(trx, actor, {
        dashboard_id: id,
        parent_id,
        which: sql<boolean>`workspaces.id = any(${idsOf([...attached, ...detached])}::int[])`,
        isShown: sql`workspaces.id = any(${idsOf(attached)}::int[])`,
      })
      await sql`delete from workspace_dashboards
        where dashboard_id = ${id} and workspace_id = any(${idsOf(detached)}::int[])`.execute(trx)
      return { attached, detached }
    })
  }
}

/** In the order of their ids. Those to attach must exist. */
async function lockWorkspaces(trx: Trx, attach: WorkspacesToAttach, detach: number[]) {
  const ids = [...idsOf(attach), ...detach]
  const { rows } = await sql<{ id: number }>`select id from workspaces
    where id = any(${ids}::int[]) and deleted_at is null order by id for no key update`.execute(trx)
  const live = new Set(idsOf(rows))
  const missing = attach.find(({ id }) => !live.has(id))
  if (missing) throw invalid('attach', `Workspace ${missing.id} does not exist.`)
}

async function attachmentsOf(trx: Trx, dashboard_id: number, ids: number[]): Promise<Attachment[]> {
  const { rows } = await sql<Attachment>`select workspaces.id, position
    from workspace_dashboards join workspaces on workspaces.id = workspace_id
    where dashboard_id = ${dashboard_id} and workspaces.id = any(${ids}::int[]) and deleted_at is null
    order by workspaces.id`.execute(trx)
  return rows
}

/** After the other dashboards of the workspace, unless a position is given. Returns the attachments that are new. */
async function insertAttachments(trx: Trx, dashboard_id: number, wanted: WorkspacesToAttach): Promise<Attachment[]> {
  const [ids, positions] = [idsOf(wanted), wanted.map(({ position }) => position ?? null)]
  const { rows: added } = await sql<Attachment>`insert into workspace_dashboards (workspace_id, dashboard_id, position)
    select given.id, ${dashboard_id}, coalesce(given.position,
      (select max(position) + 1 from workspace_dashboards where workspace_id = given.id), 0)
    from unnest(${ids}::int[], ${positions}::int[]) as given (id, position)
    on conflict (workspace_id, dashboard_id) do nothing returning workspace_id as id, position`.execute(trx)
  const { rows: full } = await sql<{ name: string }>`select name from workspaces
    where id = any(${idsOf(added)}::int[]) and jsonb_array_length(${listedDashboards()}) > ${LIST_LENGTH}
    order by id limit 1`.execute(trx)
  if (full[0]) throw conflict(`${full[0].name} already shows ${LIST_LENGTH} dashboards, which is the maximum.`)
  return added.toSorted((a, b) => a.id - b.id)
}

type Changed = {
  dashboard_id: number
  parent_id: number
  /** Workspaces that show it either before or after the change. */
  which: RawBuilder<boolean>
  isShown: RawBuilder<unknown>
}

/**
 * Increments the version of the workspaces too, so that a form opened earlier cannot overwrite the change. Called while
 * all of them list the dashboard.
 */
export async function recordWorkspaces(trx: Trx, actor: Actor, { dashboard_id, parent_id, which, isShown }: Changed) {
  await trx.updateTable('workspaces').set(editedBy(actor)).where(which).execute()
  const including = listedDashboards(sql`(${isLive} or powerbi_dashboards.id = ${dashboard_id})`)
  const without = listedDashboards(sql`${isLive} and powerbi_dashboards.id <> ${dashboard_id}`)
  await auditParts(
    trx,
    actor,
    { action: 'update', entity: 'workspace', parent_id },
    sql`select id as entity_id, name as record_name, null as record_detail, id as workspace_id, version,
      jsonb_build_object('powerbi_dashboards', jsonb_build_object(
        'before', case when ${isShown} then ${without} else ${including} end,
        'after', case when ${isShown} then ${including} else ${without} end)) as changes
      from workspaces where ${which} order by id`,
  )
}

function idsOf(rows: { id: number }[]) {
  return rows.map(({ id }) => id)
}
