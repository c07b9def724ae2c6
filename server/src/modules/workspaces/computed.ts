import { sql } from 'kysely'

/** Fields of a workspace that are computed when they are asked for. */
export const USERS_COUNT = sql<number>`(select count(*) from users where users.workspace_id = workspaces.id
  and users.deleted_at is null)`

/** Of its own admins: what others do to it is not its activity. */
export const LAST_ACTIVITY = sql<Date | null>`(select max(greatest(sign_ins.at, (select at from audit_events
    where audit_events.actor_id = admins.id and not is_nested order by at desc, audit_events.id desc limit 1)))
  from users as admins left join sign_ins on sign_ins.user_id = admins.id
  where admins.workspace_id = workspaces.id and admins.deleted_at is null and (admins.is_admin or admins.is_super_admin))`
