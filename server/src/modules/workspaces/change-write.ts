import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns } from '../../db/access.ts'
import { lockIfSuperAdmins } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import { lockRows } from '../../db/records.ts'
import { after, edit, inRange, type Range, settingOf } from '../operations/changes/kind.ts'
import { asChanged, ChangedMeanwhile } from '../operations/many-rows.ts'
import { lockDashboards } from './choices.ts'
import { USERS_OF } from './users.ts'

type Sql = RawBuilder<unknown>
/** What is done to users too. */
type WithUsers = keyof typeof USERS_OF

/** Users are locked before their workspaces, in the order used by every write of a user. */
export async function lockUsersOf(trx: Trx, action: WithUsers, ids: number[]) {
  if (action === 'delete') await lockIfSuperAdmins(trx, sql`workspace_id = any(${ids}::int[])`)
  await lockRows(trx, 'users', sql`workspace_id = any(${ids}::int[]) and ${USERS_OF[action]}`, 'no key update')
  return true
}

/** Locks the dashboards that the workspaces will list: an undo may put back one that somebody deletes at this moment. */
export async function lockListed(trx: Trx) {
  const { rows } = await sql<{ id: number }>`select distinct listed.id::int as id from chosen
      cross join lateral jsonb_array_elements_text(chosen.changes -> 'powerbi_dashboards' -> 'after') as listed (id)
    where chosen.place is not null`.execute(trx)
  const ids = rows.map(({ id }) => id)
  const live = await lockDashboards(trx, ids)
  if (live.length < ids.length) throw new ChangedMeanwhile()
}

/** The users that are deleted or restored with the workspaces, as parts of the events of these. */
export async function auditUsers(trx: Trx, actor: Actor, action: WithUsers, event_id: number) {
  // Also those who were moved there until the workspaces were locked.
  const { rows } = await sql<{ id: number }>`select id from chosen where place is not null`.execute(trx)
  await lockUsersOf(
    trx,
    action,
    rows.map(({ id }) => id),
  )
  await sql`insert into audit_events (action, entity, actor_id, actor_name, ip, parent_id, is_nested,
      entity_id, record_name, record_detail, workspace_id, version, changes)
    select ${action}, 'user', ${actor.id}::int, ${actor.name}, ${actor.ip}, parent.id, true,
      users.id, users.full_name, users.email, users.workspace_id, users.version + 1, '{}'
    from audit_events as parent join users on users.workspace_id = parent.entity_id
    where parent.parent_id = ${event_id}::bigint and ${USERS_OF[action]} order by users.id`.execute(trx)
}

export async function update(trx: Trx, actor: Actor, range: Range, fields: string[]) {
  const changed = await edit(trx, actor, 'workspaces', range, settingsOf(fields))
  if (fields.includes('powerbi_dashboards')) await setDashboards(trx, range)
  return changed
}

/** Deletes or restores the workspaces, and their users. */
export async function editWithUsers(trx: Trx, actor: Actor, action: WithUsers, range: Range) {
  const isDelete = action === 'delete'
  const deleted_at = isDelete ? sql`now()` : sql`null`
  const changed = await edit(trx, actor, 'workspaces', range, [sql`deleted_at = ${deleted_at}`])
  const its = sql`workspace_id in (select id from chosen where ${inRange(range)})`
  const set = isDelete
    ? sql`deleted_at = now(), deleted_with_workspace = true, deleted_by_super_admin = true`
    : sql`deleted_at = null, deleted_with_workspace = false`
  if (isDelete) await endSignIns(trx, its, { withTokens: true })
  const edited = sql`version = version + 1, updated_at = now(), updated_by = ${actor.id}::int`
  await sql`update users set ${set}, ${edited} where ${its} and ${USERS_OF[action]}`.execute(trx).catch(asChanged)
  return changed
}

const NEW = sql`chosen.changes`
const COLUMNS: Record<string, Sql> = {
  status: sql`${after('status')}`,
  trial_end_date: sql`left(${after('trial_end_date')}, 10)::date`,
  analytical_quota: sql`${NEW} -> 'analytical_quota' -> 'after'`,
  ai_quota: sql`${NEW} -> 'ai_quota' -> 'after'`,
}
const SETTINGS = ['roles', 'featureflags']

function settingsOf(fields: string[]): Sql[] {
  const columns = settingOf('workspaces', COLUMNS, fields)
  if (!SETTINGS.some((field) => fields.includes(field))) return columns
  const settings = sql`(select coalesce(jsonb_object_agg(key, value -> 'after'), '{}') from jsonb_each(${NEW})
    where key = any(${SETTINGS}::text[]))`
  return [...columns, sql`config = workspaces.config || ${settings}`]
}

/** Keeps the positions of deleted dashboards, so that a restored dashboard is where it was. */
async function setDashboards(trx: Trx, range: Range) {
  const isSet = sql`${inRange(range)} and chosen.changes ? 'powerbi_dashboards'`
  await sql`delete from workspace_dashboards using powerbi_dashboards, chosen
    where ${isSet} and workspace_dashboards.workspace_id = chosen.id and powerbi_dashboards.id = dashboard_id
      and powerbi_dashboards.deleted_at is null`.execute(trx)
  // An undo finds some of them deleted, maybe for good.
  await sql`insert into workspace_dashboards (workspace_id, dashboard_id, position)
    select chosen.id, powerbi_dashboards.id, rank - 1
    from chosen cross join lateral jsonb_array_elements_text(chosen.changes -> 'powerbi_dashboards' -> 'after')
      with ordinality as listed (dashboard_id, rank)
    join powerbi_dashboards on powerbi_dashboards.id = listed.dashboard_id::int
    where ${isSet}
    on conflict (workspace_id, dashboard_id) do update set position = excluded.position`.execute(trx)
}
