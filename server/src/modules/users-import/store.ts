import {
  importUsers as endpoint,
  type FoundUser,
  type UsersImport,
  type UsersImported,
} from '@watchdesk/contract/users-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { earlierResponse, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Read } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { Problem, refuse } from '../../problem.ts'
import { invite } from '../auth/links/store.ts'
import { type Passwords, requirePasswordLogin } from '../auth/session/passwords.ts'
import { bulkUndo } from '../operations/changes/undo.ts'
import type { OperationKind } from '../operations/kind.ts'
import { usersChange } from '../users/change-kind.ts'
import { requireWorkspace } from '../users/facts.ts'
import { whereOf } from '../users/filter.ts'
import { NO_FACTS, refusal } from '../users/rules.ts'
import { addRows } from './add-rows.ts'
import { checkRows, type ImportedRow } from './check-rows.ts'
import { beginOrContinue, checkOpen } from './run.ts'

/** Workspace admins find only users of their own workspace: otherwise they could try out the emails of everyone else. */
export function findUsers(read: Read, actor: Actor, emails: string[]): Promise<FoundUser[]> {
  const wanted = emails.map((email) => email.toLowerCase())
  return read(
    sql<FoundUser>`select users.id, users.email, users.full_name as name,
        json_build_object('id', workspaces.id, 'name', workspaces.name) as workspace
      from users join workspaces on workspaces.id = users.workspace_id
      where lower(users.email) = any(${wanted}::text[]) and ${whereOf(actor, {})}
      order by array_position(${wanted}::text[], lower(users.email))`,
  )
}

export const usersImport: OperationKind = { undo: bulkUndo(usersChange) }

/** Adds the users of the next rows. All calls of one run belong to one import, which the first call creates. */
export async function importUsers(
  { env, db, rights, passwords, mails }: Deps,
  actor: Actor,
  body: UsersImport,
  { key, consoleAddress }: { key: string | undefined; consoleAddress: string },
): Promise<UsersImported> {
  if (body.invite || body.rows.some(({ password }) => password !== undefined)) requirePasswordLogin(env)
  // A mail is on its way after the first call. Links are not stored, so a repeated call gets new ones.
  const mustInviteAgain = body.invite === true && env.SMTP_URL === undefined
  await rights.check(actor)
  const call = { name: `${endpoint.method} ${endpoint.url}`, key, request: withoutPasswords(body) }
  const earlier = await earlierResponse<UsersImported>(db, actor, call)
  if (earlier) return mustInviteAgain ? rights.write(actor, (trx) => inviteAdded(trx, earlier)) : earlier
  await checkOpen(db, actor, body)
  const rows = await checkRows(db, env, body)
  for (const { user } of rows) refuse(refusal(actor, null, user, NO_FACTS))
  // Hashing is slow, so it happens before the transaction, and only for users that can be added.
  await passwords.change(actor.id, async () => {
    // A repeated call may have waited for the first one.
    if (!(await earlierResponse(db, actor, call))) await hashPasswords(passwords, rows)
  })
  const imported = await rights.write(actor, async (trx) => {
    let isNew = false
    const added = await once(trx, actor, call, async () => {
      isNew = true
      await requireWorkspace(trx, body.workspace_id, { isLocked: true })
      const run = await beginOrContinue(trx, actor, body)
      return addRows(trx, actor, run, rows)
    })
    return mustInviteAgain || (body.invite && isNew) ? inviteAdded(trx, added) : added
  })
  if (body.invite) mails.wake()
  return imported

  /**
   * Links are not part of the stored response: a repeated call invites the users again, unless they have chosen a password
   * or become someone whom the caller may not invite.
   */
  async function inviteAdded(trx: Trx, added: UsersImported): Promise<UsersImported> {
    const ids = added.rows.flatMap(({ user_id }) => user_id ?? [])
    const users = await trx
      .selectFrom('users')
      .select(['id', 'first_name', 'last_name', 'email', 'workspace_id', 'has_password'])
      .where(sql<boolean>`id = any(${ids}::int[])`)
      .where('workspace_id', '=', body.workspace_id)
      .where(sql<boolean>`not (has_password or is_super_admin or is_auditor)`)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const links = new Map<number | null, { link: string }>()
    for (const user of users) {
      const { link } = await invite(trx, env, actor, user, consoleAddress)
      if (link !== null) links.set(user.id, { link })
    }
    return { ...added, rows: added.rows.map((row) => ({ ...row, ...links.get(row.user_id) })) }
  }
}

/** Not even a digest of a password is stored. */
function withoutPasswords({ rows, ...body }: UsersImport) {
  return JSON.stringify({ ...body, rows: rows.map(({ password: _, ...row }) => row) })
}

/** One after the other, so that the queue of all passwords stays short. */
async function hashPasswords(passwords: Passwords, rows: ImportedRow[]) {
  for (const row of rows) {
    if (row.outcome !== 'added') continue
    try {
      row.password_hash = row.isWithoutPassword
        ? await passwords.unknown()
        : await passwords.hash(row.password ?? '', row.user)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) throw error
      row.outcome = 'invalid password'
      row.reason = row.password === undefined ? 'Password is required!' : error.message
    }
  }
}
