import { User } from '@watchdesk/contract/users.schema'
import { FIND } from '@watchdesk/server/db/callers'

/** The statements of the baseline, named but for search, so that PostgreSQL plans them once per connection. */

/** The lookup of the server. */
export const FIND_ACTOR = { name: 'find-actor', text: FIND.text }

const { workspace: _, ...columns } = User.shape
const USER = `${Object.keys(columns).map((column) => `users.${column}`)},
  json_build_object('name', workspaces.name) as workspace`
const JOIN = 'inner join workspaces on workspaces.id = users.workspace_id'

/** When the user can sign in again after too many wrong passwords, as in `server/src/modules/auth/session/lockout.ts`. */
const LOCKED_UNTIL = `(
    select to_char((max(changed_at) + interval '10 minutes') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from (
      select failures, changed_at, sum(failures) over () as everywhere from failed_sign_ins
      where email_hash = sha256(lower(users.email)::bytea) and changed_at >= now() - interval '10 minutes'
    ) live
    where failures >= 10 or everywhere >= 200) as locked_until`

export const READ_USER = {
  name: 'read-user',
  text: `select ${USER}, ${LOCKED_UNTIL} from users ${JOIN} where users.id = $1 and users.deleted_at is null`,
}

export const LOCK_USER = {
  name: 'lock-user',
  text: 'select * from users where id = $1 and deleted_at is null for no key update',
}

export const EDIT_USER = {
  name: 'edit-user',
  text: `with audited as (
      insert into audit_events
        (action, entity, entity_id, actor_id, actor_name, changes, ip, record_name, record_detail, workspace_id, version)
      values ('update', 'user', $1, $3, $4, $5, $6, $7, $8, $9, $10)
    ), users as (
      update users set first_name = $2, version = version + 1, updated_at = now(), updated_by = $3 where id = $1 returning *
    )
    select ${USER} from users ${JOIN}`,
}

export const CREATE_WORKSPACE = {
  name: 'create-workspace',
  text: `with workspaces as (
      insert into workspaces (name, description, status, trial_end_date, analytical_quota, ai_quota, config, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning *
    ), audited as (
      insert into audit_events
        (action, entity, entity_id, actor_id, actor_name, changes, ip, record_name, workspace_id, version)
      select 'create', 'workspace', id, $8, $9, $10, $11, name, id, 1 from workspaces
    )
    select id, name, description, status, trial_end_date, analytical_quota, ai_quota, version,
      config || '{"powerbi_dashboards": []}' as config from workspaces`,
}

const KEYS = { id: 'users.id', email: 'lower(users.email)', full_name: 'lower(users.full_name)' }
export type Sort = keyof typeof KEYS

/** The total that triggers keep. */
export function countOf(list: 'users' | 'sources') {
  return {
    name: `count-${list}`,
    text: `select (live + (select coalesce(sum(live_change), 0) from list_changes where list = '${list}'))::int as list_total
      from list_totals where list = '${list}'`,
  }
}

/** The statement of `server/src/db/list.ts` for a page in ascending order, read from the start or from the end: $1 is the size, $2 the offset. */
export function listUsers(sort: Sort, isFromEnd: boolean) {
  const direction = isFromEnd ? 'desc' : 'asc'
  return {
    name: `list-users-by-${sort}-${direction}`,
    text: `select list_total, place, rows.* from (${countOf('users').text}) as counted left join (
        (select id, row_number() over (order by key, id) as place from (
          select users.id, ${KEYS[sort]} as key from users where users.deleted_at is null
          order by key ${direction}, id ${direction} limit $1 offset $2
        ) as ids) as page
        cross join lateral (select ${USER} from users ${JOIN} where users.id = page.id offset 0) as rows
      ) on true order by place`,
  }
}

/** Without a name, like ours: the plan depends on how common the text is. */
export const COUNT_MATCHES = 'select count(*)::int as total from users where deleted_at is null and search_text like $1'

export const FIND_MATCHES = `select ${USER} from users ${JOIN} where users.id in (
    select users.id from users where users.deleted_at is null and search_text like $3
    order by users.id limit $1 offset $2
  ) order by users.id`
