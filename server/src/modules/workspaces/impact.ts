import type { WorkspaceImpact } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { LAST_ACTIVITY, USERS_COUNT } from './computed.ts'

const NAMED_ADMINS = 3

/** What deleting or deactivating a workspace would affect. */
export async function impactOf({ read }: Pick<Deps, 'read'>, id: number): Promise<WorkspaceImpact> {
  const admins = sql`from users where workspace_id = workspaces.id and deleted_at is null and (is_admin or is_super_admin)`
  const impact = sql<WorkspaceImpact>`select
    ${USERS_COUNT} as users,
    (select count(*) ${admins}) as admins,
    array(select full_name ${admins} order by id limit ${NAMED_ADMINS}) as admin_names,
    (select count(*) from workspace_dashboards join powerbi_dashboards on powerbi_dashboards.id = dashboard_id
      where workspace_id = workspaces.id and powerbi_dashboards.deleted_at is null) as dashboards,
    ${isoTime(LAST_ACTIVITY)} as last_activity_at
    from workspaces where id = ${id} and deleted_at is null`
  const [row] = await read(impact)
  return found(row, 'Workspace')
}
