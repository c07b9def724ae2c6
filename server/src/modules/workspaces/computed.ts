import { sql } from 'kysely'

/** Fields of a workspace that are computed when they are asked for. */
export const USERS_COUNT = sql<number>`(select count(*) from users where users.workspace_id = workspaces.id
  and users.deleted_at is null)`

export const LAST_ACTIVITY = sql<Date | null>`(select at from audit_events
  where audit_events.workspace_id = workspaces.id and not is_nested and actor_id is not null
  order by at desc, audit_events.id desc limit 1)`
