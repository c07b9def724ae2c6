import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import {
  type Workspace,
  type WorkspaceBody,
  type WorkspaceImpact,
  type WorkspaceQuery,
  workspaceList,
} from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns, requireSuperAdminWithout } from '../../db/access.ts'
import { audited, type Change, changesBetween, newId } from '../../db/audit.ts'
import { readToday } from '../../db/days.ts'
import { conflictIfTaken, editedBy, lockSuperAdmins } from '../../db/entity.ts'
import { listPage } from '../../db/list.ts'
import { deleteRecord, lockDeletedRecord, lockRecord, restoreRecord } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { found, refuse } from '../../problem.ts'
import { listedDashboards, lockDashboards, setDashboards } from './dashboards.ts'
import { conditionsOf } from './filter.ts'
import { WORKSPACE } from './record.ts'
import { changesAccess, EMAIL_TAKEN, isDeactivation, refusal, refusalOfChoices } from './rules.ts'
import { LAST_ACTIVITY_ISO, selectWorkspace, selectWorkspaces, USERS_COUNT } from './select.ts'
import {
  auditUsers,
  checkSuperAdmins,
  DELETED_WITH_IT,
  editUsers,
  LIVE,
  lockUsers,
  type NewEmails,
  setNewEmails,
} from './users.ts'

const NAMED_ADMINS = 3

export function workspacesStore({ env, db, read, rights, catalog }: Deps) {
  return { list, get, impact, create, update, remove, restore }

  function list(actor: Actor, query: WorkspaceQuery) {
    const { include = [] } = query
    const listed = selectWorkspaces(db)
      .$if(include.includes('users_count'), (select) => select.select(USERS_COUNT.as('users_count')))
      .$if(include.includes('last_activity_at'), (select) => select.select(LAST_ACTIVITY_ISO.as('last_activity_at')))
    return listPage(read, {
      table: 'workspaces',
      options: workspaceList,
      query,
      filters: conditionsOf(actor, query),
      rows: (id) => listed.where('workspaces.id', '=', id),
    })
  }

  async function get(actor: Actor, id: number) {
    const [workspace] = await read(selectWorkspace(db, actor, id))
    return workspace
  }

  async function impact(id: number) {
    const admins = sql`from users where workspace_id = workspaces.id and deleted_at is null and (is_admin or is_super_admin)`
    const [row] = await read(sql<WorkspaceImpact>`select
      ${USERS_COUNT} as users,
      (select count(*) ${admins}) as admins,
      array(select full_name ${admins} order by id limit ${NAMED_ADMINS}) as admin_names,
      jsonb_array_length(${listedDashboards()}) as dashboards,
      ${LAST_ACTIVITY_ISO} as last_activity_at
      from workspaces where id = ${id} and deleted_at is null`)
    return found(row, 'Workspace')
  }

  function create(actor: Actor, body: WorkspaceBody) {
    return rights.write(actor, async (trx) => {
      const after = { ...WORKSPACE_DEFAULTS, ...body }
      const dashboards = await lockDashboards(trx, after.powerbi_dashboards)
      refuse(refusalOfChoices({}, after, { catalog, dashboards }))
      const changes = changesBetween({}, after)
      const entity_id = newId('workspaces')
      const record = { name: after.name, workspace_id: entity_id, version: 1 }
      const event = { action: 'create', entity: 'workspace', entity_id, record, changes } as const
      const inserted = trx
        .with('workspaces', (query) =>
          query
            .insertInto('workspaces')
            .values({ updated_by: actor.id, ...columns(after, []) })
            .returningAll(),
        )
        .with('audited', audited(actor, event))
      const created = await selectWorkspaces(inserted).executeTakeFirstOrThrow()
      const { powerbi_dashboards } = after
      if (powerbi_dashboards.length > 0) await setDashboards(trx, listOf(created.id, powerbi_dashboards))
      return { ...created, config: { ...created.config, powerbi_dashboards } }
    })
  }

  function update(actor: Actor, id: number, body: WorkspaceBody, ifMatch?: string, action: Change = 'update') {
    return rights.write(actor, async (trx) => {
      if (body.status === 'DEACTIVATED') await lockSuperAdmins(trx)
      const dashboards = await lockDashboards(trx, body.powerbi_dashboards ?? [])
      await lockRecord(trx, WORKSPACE, id, ifMatch)
      // Read after the lock: a statement that waits for it does not see what was changed in other tables meanwhile.
      const current = found(await selectWorkspace(trx, actor, id).executeTakeFirst(), 'Workspace')
      const after = { ...WORKSPACE_DEFAULTS, ...body }
      refuse(refusalOfChoices(current.config, after, { catalog, dashboards }))
      const { config, ...top } = current
      const changes = changesBetween({ ...top, ...config }, after)
      if (Object.keys(changes).length === 0) return current
      refuse(refusal(actor, current, after))
      if (isDeactivation(current, after)) {
        await requireSuperAdminWithout(trx, sql`users.workspace_id = ${id}`, LAST_TO_SIGN_IN)
        await endSignIns(trx, sql`users.workspace_id = ${id}`)
      }
      const changesTrial = 'status' in changes || 'trial_end_date' in changes
      if (changesTrial && changesAccess(current, after, await readToday(trx)))
        await checkSuperAdmins(trx, actor, id, LIVE)
      if ('powerbi_dashboards' in changes) await setDashboards(trx, listOf(id, after.powerbi_dashboards))
      const set = {
        ...columns(after, config.tags),
        ...(action === 'put_back' ? {} : renewalDays(current, after)),
        ...editedBy(actor),
      }
      const record = { name: after.name, workspace_id: id, version: current.version + 1 }
      const edited = trx
        .with('audited', audited(actor, { action, entity: 'workspace', entity_id: id, record, changes }))
        .with('workspaces', (query) => query.updateTable('workspaces').set(set).where('id', '=', id).returningAll())
      return selectWorkspaces(edited).executeTakeFirstOrThrow()
    })
  }

  function remove(actor: Actor, id: number, ifMatch?: string) {
    return rights.writeWithUsers(actor, async (trx) => {
      await lockSuperAdmins(trx)
      await lockUsers(trx, 'delete', [id])
      const workspace = await lockRecord(trx, WORKSPACE, id, ifMatch)
      // Also those who were moved here until the workspace was locked.
      const users = await lockUsers(trx, 'delete', [id])
      refuse(refusal(actor, { id, status: null }, null))
      await requireSuperAdminWithout(trx, sql`users.workspace_id = ${id}`, LAST_SUPER_ADMIN)
      await checkSuperAdmins(trx, actor, id, LIVE)
      const event_id = await deleteRecord(trx, actor, WORKSPACE, workspace, { users: { before: users, after: 0 } })
      await auditUsers(trx, actor, 'delete', sql`events.id = ${event_id}`)
      await editUsers(trx, actor, 'delete', sql`${id}::int`)
    })
  }

  function restore(
    actor: Actor,
    id: number,
    { emails = [], parent_id }: { emails?: NewEmails; parent_id?: number } = {},
  ) {
    const restored = rights.writeWithUsers(actor, async (trx) => {
      const workspace = await lockDeletedRecord(trx, WORKSPACE, id)
      const changes = { users: { before: 0, after: await lockUsers(trx, 'restore', [id]) } }
      await checkSuperAdmins(trx, actor, id, DELETED_WITH_IT)
      const event_id = await restoreRecord(trx, actor, WORKSPACE, workspace, { parent_id, changes })
      await auditUsers(trx, actor, 'restore', sql`events.id = ${event_id}`, emails)
      await setNewEmails(trx, env, actor, id, emails)
      await editUsers(trx, actor, 'restore', sql`${id}::int`)
      return await selectWorkspace(trx, actor, id).executeTakeFirstOrThrow()
    })
    return restored.catch(conflictIfTaken('users_by_email', EMAIL_TAKEN))
  }
}

function columns({ powerbi_dashboards: _, ...body }: Required<WorkspaceBody>, tags: string[]) {
  const { name, description, status, trial_end_date, analytical_quota, ai_quota, ...settings } = body
  return {
    name,
    description,
    status,
    trial_end_date: trial_end_date?.slice(0, 10) ?? null,
    analytical_quota: JSON.stringify(analytical_quota),
    ai_quota: JSON.stringify(ai_quota),
    config: JSON.stringify({ tags, ...settings }),
  }
}

/** Another date is renewed on its own day of the month. One that is only saved again keeps the remembered day. */
function renewalDays(before: Quotas, after: Quotas) {
  const isOther = (quota: keyof Quotas) => before[quota].renewal_date !== after[quota].renewal_date
  return {
    ...(isOther('analytical_quota') && { analytical_renewal_day: null }),
    ...(isOther('ai_quota') && { ai_renewal_day: null }),
  }
}

type Quotas = Pick<Workspace, 'analytical_quota' | 'ai_quota'>

function listOf(workspace_id: number, dashboards: number[]) {
  return sql`select ${workspace_id}::int as workspace_id, ${JSON.stringify(dashboards)}::jsonb as dashboards`
}

const LAST_SUPER_ADMIN = 'This workspace contains the last super admin, so it cannot be deleted.'
const LAST_TO_SIGN_IN = 'This workspace has the last super admin who can sign in, so it cannot be deactivated.'
