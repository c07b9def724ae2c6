import type { Workspace } from '@watchdesk/contract/workspaces'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { Db } from '../../db/open.ts'
import { isSeen } from '../../db/scope.ts'
import { workspaceConfig } from '../../db/settings.ts'
import { listedDashboards } from './dashboards.ts'

export const USERS_COUNT = sql<number>`(select count(*) from users where users.workspace_id = workspaces.id
  and users.deleted_at is null)`

/** Of its own admins: what others do to it is not its activity. */
export const LAST_ACTIVITY = sql<Date | null>`(select max(greatest(sign_ins.at, (select at from audit_events
    where audit_events.actor_id = admins.id and not is_nested order by at desc, audit_events.id desc limit 1)))
  from users as admins left join sign_ins on sign_ins.user_id = admins.id
  where admins.workspace_id = workspaces.id and admins.deleted_at is null and (admins.is_admin or admins.is_super_admin))`
export const LAST_ACTIVITY_ISO: RawBuilder<string | null> = isoTime(LAST_ACTIVITY)

export function selectWorkspace(db: Db, actor: Actor, id: number) {
  const live = selectWorkspaces(db).where('workspaces.id', '=', id).where('workspaces.deleted_at', 'is', null)
  return live.where(isSeen(actor, sql`workspaces.id`))
}

/** Selects from the tables, or from CTEs of the same names. */
export function selectWorkspaces(db: Db) {
  return db
    .selectFrom('workspaces')
    .select([
      'workspaces.id',
      'workspaces.name',
      'workspaces.description',
      'workspaces.status',
      'workspaces.trial_end_date',
      'workspaces.analytical_quota',
      'workspaces.ai_quota',
      'workspaces.version',
      sql<
        Workspace['config']
      >`${workspaceConfig} || jsonb_build_object('powerbi_dashboards', ${listedDashboards()})`.as('config'),
    ])
}
