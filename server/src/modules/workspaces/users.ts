import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { TODAY } from '../../db/days.ts'
import type { Trx } from '../../db/open.ts'
import { requireRecentSignIn } from '../../plugins/auth.ts'
import { type NewEmails, newEmails } from './new-emails.ts'

/** Which users of a workspace: those that are deleted with it, or return with it. */
export const LIVE = sql<boolean>`users.deleted_at is null`
export const DELETED_WITH_IT = sql<boolean>`users.deleted_with_workspace`

/**
 * Returns their number. Before a delete, it is called before locking the workspace, in the order used by every write of
 * a user, to prevent deadlocks.
 */
export async function lockUsers(trx: Trx, workspace_id: number, which: RawBuilder<boolean>) {
  const { rows } = await sql<{ count: number }>`select count(*) from (
    select from users where workspace_id = ${workspace_id} and ${which} order by id for no key update) as locked`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/** The users of the workspace as parts of its event, before they change. */
export function usersOf(workspace_id: number, which: RawBuilder<boolean>, emails: NewEmails = []) {
  return sql`select id as entity_id, full_name as record_name, coalesce(new_email, email) as record_detail, workspace_id,
    version + 1 as version, case when new_email is distinct from email and new_email is not null
      then jsonb_build_object('email', jsonb_build_object('before', email, 'after', new_email)) else '{}' end as changes
    from users left join ${newEmails(emails)} on given.user_id = users.id
    where workspace_id = ${workspace_id} and ${which} order by id`
}

/**
 * Super admins and auditors who are deleted or restored with the workspace, lose their access or get it back need a recent
 * sign-in, as if it was one of them alone.
 */
export async function checkSuperAdmins(trx: Trx, actor: Actor, workspace_id: number, which: RawBuilder<boolean>) {
  const query = trx.selectFrom('users').select('id').where('workspace_id', '=', workspace_id).where(which)
  const powerful = await query.where(sql<boolean>`(is_super_admin or is_auditor)`).limit(1).executeTakeFirst()
  if (powerful) requireRecentSignIn(actor)
}

/**
 * Whether a change of a workspace takes away the access of its users or gives it back. A trial that is over may be
 * deactivated at any time. `changes` is as in an audit event; `workspaces` is the row before the change.
 */
export function changesAccess(changes: RawBuilder<unknown>) {
  const newStatus = sql`case when ${changes} ? 'status' then ${changes} -> 'status' ->> 'after' else workspaces.status end`
  const newDay = sql`case when ${changes} ? 'trial_end_date'
    then left(${changes} -> 'trial_end_date' ->> 'after', 10)::date else workspaces.trial_end_date end`
  return sql<boolean>`exists (
    select from (select ${trialEnd(sql`workspaces.status`, sql`workspaces.trial_end_date`)} as before,
      ${trialEnd(newStatus, newDay)} as after) as trial
    where trial.after < trial.before or (trial.before < ${TODAY} and trial.after >= ${TODAY})
      or (${changes} ? 'status' and 'DEACTIVATED' in (workspaces.status, ${changes} -> 'status' ->> 'after')))`
}

/** The same as a condition for rows of users. */
export function workspaceChangesAccess(changes: object) {
  return sql<boolean>`exists (
    select from workspaces cross join (select ${JSON.stringify(changes)}::jsonb as changes) as wanted
    where workspaces.id = users.workspace_id and ${changesAccess(sql`wanted.changes`)})`
}

function trialEnd(status: RawBuilder<unknown>, day: RawBuilder<unknown>) {
  return sql`coalesce(case when ${status} = 'TRIAL' then ${day} end, 'infinity')`
}
