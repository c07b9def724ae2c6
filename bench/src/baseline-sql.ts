/** The statements of the baseline, all named, so that PostgreSQL parses and plans them once per connection. */

/** The same lookup as in `server/src/db/callers.ts`. */
export const FIND_ACTOR = {
  name: 'find-actor',
  text: `select users.id, users.full_name as name, users.email, users.workspace_id, users.is_super_admin,
      sessions.created_at + make_interval(mins => $2) as session_ends_at,
      sessions.last_seen_at < now() - least(interval '1 minute', make_interval(mins => $3) / 10) as is_stale
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = $1
      and sessions.created_at > now() - make_interval(mins => $2)
      and sessions.last_seen_at > now() - make_interval(mins => $3)
      and users.deleted_at is null and (users.is_admin or users.is_super_admin)`,
}

const USER = `users.id, users.first_name, users.last_name, users.email, users.workspace_id, users.is_admin,
  users.is_super_admin, users.type, users.language, users.version, json_build_object('name', workspaces.name) as workspace`
const JOIN = 'inner join workspaces on workspaces.id = users.workspace_id'

export const READ_USER = {
  name: 'read-user',
  text: `select ${USER} from users ${JOIN} where users.id = $1 and users.deleted_at is null`,
}

export const LOCK_USER = {
  name: 'lock-user',
  text: 'select * from users where id = $1 and deleted_at is null for update',
}

export const EDIT_USER = {
  name: 'edit-user',
  text: `with audited as (
      insert into audit_events (action, entity, entity_id, actor_id, actor_name, changes, ip)
      values ('update', 'user', $1, $3, $4, $5, $6)
    ), users as (
      update users set first_name = $2, version = version + 1, updated_at = now(), updated_by = $3 where id = $1 returning *
    )
    select ${USER} from users ${JOIN}`,
}

export const CREATE_WORKSPACE = {
  name: 'create-workspace',
  text: `insert into workspaces
      (name, description, status, trial_end_date, analytical_quota, ai_quota, config, updated_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    returning id, name, description, status, trial_end_date, analytical_quota, ai_quota, version,
      config || '{"powerbi_dashboards": []}' as config`,
}

export const AUDIT_CREATE = {
  name: 'audit-create',
  text: `insert into audit_events (action, entity, entity_id, actor_id, actor_name, changes, ip)
    values ('create', 'workspace', $1, $2, $3, $4, $5)`,
}

export const COUNT_RANGES = {
  name: 'count-ranges',
  text: `select id_range, sum(live)::int as live from row_counts where table_name = 'users'
    group by id_range order by id_range`,
}

const SORTS: Record<string, string> = { email: 'lower(users.email)', full_name: 'lower(users.full_name)' }

function orderBy(sort: string, direction: string) {
  return `order by ${SORTS[sort] ? `${SORTS[sort]} ${direction}, ` : ''}users.id ${direction}`
}

/** A page in ascending order, whose ids are read in either direction, from the id in $3 on if there is one. */
export function listUsers(sort: string, direction: 'asc' | 'desc', from?: '>=' | '<') {
  const border = from ? `and users.id ${from} $3` : ''
  return {
    name: `list-users-${sort}-${direction}-${from}`,
    text: `select ${USER} from users ${JOIN} where users.id in (
        select users.id from users where users.deleted_at is null ${border}
        ${orderBy(sort, direction)} limit $1 offset $2
      ) ${orderBy(sort, 'asc')}`,
  }
}

/** Without a name, like ours: the plan depends on how common the text is. */
export const COUNT_MATCHES = 'select count(*)::int as total from users where deleted_at is null and search_text like $1'

export const FIND_MATCHES = `select ${USER} from users ${JOIN} where users.id in (
    select users.id from users where users.deleted_at is null and search_text like $3
    ${orderBy('id', 'asc')} limit $1 offset $2
  ) ${orderBy('id', 'asc')}`
