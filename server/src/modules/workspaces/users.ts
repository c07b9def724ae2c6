import { type RawBuilder, sql } from 'kysely'
import { type Actor, requireRecentSignIn } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { lockRows } from '../../db/records.ts'
import { type NewEmails, newEmails } from './new-emails.ts'

/** Which users of a workspace: those that are deleted with it, or return with it. */
export const LIVE = sql<boolean>`users.deleted_at is null`
export const DELETED_WITH_IT = sql<boolean>`users.deleted_with_workspace`

/**
 * Returns their number. Before a delete, it is called before locking the workspace, in the order used by every write of
 * a user, to prevent deadlocks.
 */
export function lockUsers(trx: Trx, workspace_id: number, which: RawBuilder<boolean>) {
  return lockRows(trx, 'users', sql`workspace_id = ${workspace_id} and ${which}`, 'no key update')
}

/** The users of the workspace as parts of its event, before they change. */
export function usersOf(workspace_id: number, which: RawBuilder<boolean>, emails: NewEmails = []) {
  return sql`select id as entity_id, full_name as record_name, coalesce(new_email, email) as record_detail, workspace_id,
    version + 1 as version, case when new_email is distinct from email and new_email is not null
      then jsonb_build_object('email', jsonb_build_object('before', email, 'after', new_email)) else '{}' end as changes
    from users left join ${newEmails(emails)} on given.user_id = users.id
    where workspace_id = ${workspace_id} and ${which} order by id`
}

/** The users that are deleted or restored with a workspace. */
export const USERS_OF = { delete: LIVE, restore: DELETED_WITH_IT }

/** Which of these deleted workspaces have users whose email another user has now, among so many of each. */
export function withTakenEmails(workspace_ids: number[], atMost: number | null = null) {
  return sql<{ id: number }>`select workspaces.id from workspaces where id = any(${workspace_ids}::int[]) and exists (
    select from (select email from users where workspace_id = workspaces.id and ${DELETED_WITH_IT} limit ${atMost}::bigint)
      as returning_users
    join users as holders on lower(holders.email) = lower(returning_users.email) and holders.deleted_at is null)`
}

/** Which of these workspaces have super admins or auditors. */
export async function withPrivilegedUsers(db: Db, workspace_ids: number[], which: RawBuilder<boolean>) {
  const query = sql<{ workspace_id: number }>`select distinct workspace_id from users
    where workspace_id = any(${workspace_ids}::int[]) and ${which} and (is_super_admin or is_auditor)`
  return new Set((await rowsOf(db, query)).map(({ workspace_id }) => workspace_id))
}

/**
 * Super admins and auditors who are deleted or restored with the workspace, lose their access or get it back need a recent
 * sign-in, as if it was one of them alone.
 */
export async function checkSuperAdmins(trx: Trx, actor: Actor, workspace_id: number, which: RawBuilder<boolean>) {
  if ((await withPrivilegedUsers(trx, [workspace_id], which)).size > 0) requireRecentSignIn(actor)
}
