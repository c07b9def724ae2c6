import type { WorkspaceRestore } from '@watchdesk/contract/workspaces'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, requireRecentSignIn } from '../../actor.ts'
import { endSignIns } from '../../db/access.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { lockRows } from '../../db/records.ts'
import type { Env } from '../../env.ts'
import { Problem } from '../../problem.ts'
import { notify } from '../auth/notices.ts'

type Sql = RawBuilder<unknown>
export type NewEmails = NonNullable<NonNullable<WorkspaceRestore>['emails']>

export const LIVE = sql<boolean>`users.deleted_at is null`
export const DELETED_WITH_IT = sql<boolean>`users.deleted_with_workspace`

/** Which users of a workspace are deleted or return with it. */
const USERS_OF = { delete: LIVE, restore: DELETED_WITH_IT }
export type WithUsers = keyof typeof USERS_OF

export function usersOf(action: WithUsers, workspaces: Sql) {
  return sql<boolean>`users.workspace_id in (${workspaces}) and ${USERS_OF[action]}`
}

/** Before a delete, it is called before locking the workspaces, in the order used by every write of a user. */
export function lockUsers(trx: Trx, action: WithUsers, workspace_ids: number[]) {
  return lockRows(trx, 'users', usersOf(action, sql`select unnest(${workspace_ids}::int[])`), 'no key update')
}

/** The users as parts of the events of their workspaces, before they change. `events` is a condition for these. */
export async function auditUsers(trx: Trx, actor: Actor, action: WithUsers, events: Sql, emails: NewEmails = []) {
  await sql`insert into audit_events (action, entity, actor_id, actor_name, ip, parent_id, is_nested,
      entity_id, record_name, record_detail, workspace_id, version, changes)
    select ${action}, 'user', ${actor.id}::int, ${actor.name}, ${actor.ip}, events.id, true,
      users.id, users.full_name, coalesce(new_email, users.email), users.workspace_id, users.version + 1,
      case when new_email <> users.email
        then jsonb_build_object('email', jsonb_build_object('before', users.email, 'after', new_email)) else '{}' end
    from audit_events as events join users on users.workspace_id = events.entity_id
      left join ${newEmails(emails)} on given.user_id = users.id
    where ${events} and ${USERS_OF[action]} order by users.id`.execute(trx)
}

export async function editUsers(trx: Trx, actor: Actor, action: WithUsers, workspaces: Sql) {
  const which = usersOf(action, workspaces)
  if (action === 'delete') await endSignIns(trx, which, { withTokens: true })
  const set =
    action === 'delete'
      ? sql`deleted_at = now(), deleted_with_workspace = true, deleted_by_super_admin = true`
      : sql`deleted_at = null, deleted_with_workspace = false`
  await sql`update users set ${set}, version = version + 1, updated_at = now(), updated_by = ${actor.id}::int
    where ${which}`.execute(trx)
}

/** Which of these deleted workspaces have users whose email another user has now, among so many of each. */
export function withTakenEmails(workspace_ids: number[], atMost: number | null = null) {
  return sql<{ id: number }>`select workspaces.id from workspaces where id = any(${workspace_ids}::int[]) and exists (
    select from (select email from users where workspace_id = workspaces.id and ${DELETED_WITH_IT} limit ${atMost}::bigint)
      as returning_users
    join users as holders on lower(holders.email) = lower(returning_users.email) and holders.deleted_at is null)`
}

export async function withPrivilegedUsers(db: Db, workspace_ids: number[], which: RawBuilder<boolean>) {
  const query = sql<{ workspace_id: number }>`select distinct workspace_id from users
    where workspace_id = any(${workspace_ids}::int[]) and ${which} and (is_super_admin or is_auditor)`
  return new Set((await rowsOf(db, query)).map(({ workspace_id }) => workspace_id))
}

/** What happens to super admins and auditors with the workspace needs a recent sign-in, as if it was one of them alone. */
export async function checkSuperAdmins(trx: Trx, actor: Actor, workspace_id: number, which: RawBuilder<boolean>) {
  if ((await withPrivilegedUsers(trx, [workspace_id], which)).size > 0) requireRecentSignIn(actor)
}

function newEmails(emails: NewEmails) {
  const [ids, texts] = [emails.map(({ id }) => id), emails.map(({ email }) => email)]
  return sql`unnest(${ids}::int[], ${texts}::text[]) with ordinality as given (user_id, new_email, place)`
}

/** Call it before the users are restored, and with their rows locked. */
export async function setNewEmails(trx: Trx, env: Env, actor: Actor, workspace_id: number, emails: NewEmails) {
  if (emails.length === 0) return
  const isReturning = usersOf('restore', sql`${workspace_id}::int`)
  const whose = sql`${isReturning} and exists (
    select from ${newEmails(emails)} where given.user_id = users.id and given.new_email <> users.email)`
  await notify(trx, env, { whose, kind: 'email_changed', actor })
  const { rows } = await sql<{ user_id: number }>`update users set email = given.new_email from ${newEmails(emails)}
    where users.id = given.user_id and ${isReturning} returning given.user_id`.execute(trx)
  const changed = new Set(rows.map(({ user_id }) => user_id))
  const unknown = emails.flatMap(({ id }, index) => (changed.has(id) ? [] : [index]))
  refuse(unknown, 'id', 'This user was not deleted with the workspace.')

  const taken = await sql<{ index: number }>`select place - 1 as index from ${newEmails(emails)} where exists (
    select from users where lower(users.email) = lower(given.new_email) and users.id <> given.user_id
      and (users.deleted_at is null or (${isReturning})))
    order by place`.execute(trx)
  const indexes = taken.rows.map(({ index }) => index)
  refuse(indexes, 'email', 'A user with this email already exists.')
}

function refuse(indexes: number[], field: string, msg: string) {
  if (indexes.length === 0) return
  const details = indexes.map((index) => ({ loc: ['body', 'emails', index, field], msg, type: 'value_error' }))
  throw new Problem(422, details)
}
