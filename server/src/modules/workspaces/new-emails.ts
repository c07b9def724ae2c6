import type { WorkspaceRestore } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { Problem } from '../../problem.ts'
import { notify } from '../auth/notices.ts'

export type NewEmails = NonNullable<NonNullable<WorkspaceRestore>['emails']>

/** The new emails as a table. */
export function newEmails(emails: NewEmails) {
  const [ids, texts] = [emails.map(({ id }) => id), emails.map(({ email }) => email)]
  return sql`unnest(${ids}::int[], ${texts}::text[]) with ordinality as given (user_id, new_email, place)`
}

/** Gives users of a deleted workspace other emails. Call it before they are restored, and with their rows locked. */
export async function setNewEmails(
  trx: Trx,
  env: Pick<Env, 'SMTP_URL'>,
  actor: Actor,
  workspace_id: number,
  emails: NewEmails,
) {
  if (emails.length === 0) return
  const whose = sql`users.workspace_id = ${workspace_id} and users.deleted_with_workspace and exists (
    select from ${newEmails(emails)} where given.user_id = users.id and given.new_email <> users.email)`
  await notify(trx, env, { whose, kind: 'email_changed', actor })
  const { rows } = await sql<{ user_id: number }>`update users set email = given.new_email from ${newEmails(emails)}
    where users.id = given.user_id and users.workspace_id = ${workspace_id} and users.deleted_with_workspace
    returning given.user_id`.execute(trx)
  const changed = new Set(rows.map(({ user_id }) => user_id))
  const unknown = emails.flatMap(({ id }, index) => (changed.has(id) ? [] : [index]))
  refuse(unknown, 'id', 'This user was not deleted with the workspace.')

  const taken = await sql<{ index: number }>`select place - 1 as index from ${newEmails(emails)} where exists (
    select from users where lower(users.email) = lower(given.new_email) and users.id <> given.user_id
      and (users.deleted_at is null or (users.workspace_id = ${workspace_id} and users.deleted_with_workspace)))
    order by place`.execute(trx)
  const indexes = taken.rows.map(({ index }) => index)
  refuse(indexes, 'email', 'A user with this email already exists.')
}

function refuse(indexes: number[], field: string, msg: string) {
  if (indexes.length === 0) return
  const details = indexes.map((index) => ({ loc: ['body', 'emails', index, field], msg, type: 'value_error' }))
  throw new Problem(422, details)
}
