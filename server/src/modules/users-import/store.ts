import {
  importUsers as endpoint,
  type FoundUser,
  type UsersImport,
  type UsersImported,
} from '@watchdesk/contract/users-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { type Call, earlierResponse, once } from '../../db/idempotency.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Read } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { Problem, refuse } from '../../problem.ts'
import { invite } from '../auth/links/invite.ts'
import type { Passwords } from '../auth/session/passwords.ts'
import { requirePasswordLogin } from '../auth/session/passwords.ts'
import { bulkUndo } from '../operations/changes/undo.ts'
import type { OperationKind } from '../operations/kind.ts'
import { usersChange } from '../users/change-kind.ts'
import { NO_FACTS, refusal } from '../users/rules.ts'
import { requireWorkspace } from '../users/store.ts'
import { addRows } from './add-rows.ts'
import { checkRows, type ImportedRow } from './check-rows.ts'
import { beginOrContinue, checkOpen } from './run.ts'

/**
 * The users with these emails. Workspace admins find those of their own workspace only: otherwise they could try out the
 * emails of everyone else.
 */
export function findUsers(read: Read, actor: Actor, emails: string[]): Promise<FoundUser[]> {
  const scope = actor.seesEverything ? sql`true` : sql`users.workspace_id = ${actor.workspace_id}`
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  return read(
    sql<FoundUser>`select users.id, users.email, users.full_name as name,
        json_build_object('id', workspaces.id, 'name', workspaces.name) as workspace
      from unnest(${wanted}::text[]) as wanted (email)
      cross join lateral (select * from users
        where lower(users.email) = wanted.email and users.deleted_at is null offset 0) as users
      join workspaces on workspaces.id = users.workspace_id where ${scope}`,
  )
}

/** Users that it added are deleted, and then restored. */
export const usersImport: OperationKind = { undo: bulkUndo(usersChange) }

/** Adds the users of the next rows. All calls of one run belong to one import, which the first call creates. */
export async function importUsers(
  { env, db, rights, passwords, mails }: Pick<Deps, 'env' | 'db' | 'rights' | 'passwords' | 'mails'>,
  actor: Actor,
  body: UsersImport,
  { key, consoleAddress }: { key: string | undefined; consoleAddress: string },
): Promise<UsersImported> {
  if (body.invite || body.rows.some(({ password }) => password !== undefined)) requirePasswordLogin(env)
  // A mail is on its way after the first call. Links are not stored, so a repeated call gets new ones.
  const mustInviteAgain = body.invite === true && env.SMTP_URL === undefined
  await rights.check(actor)
  const call: Call = { name: `${endpoint.method} ${endpoint.url}`, key, request: withoutPasswords(body) }
  const earlier = await earlierResponse<UsersImported>(db, actor, call)
  if (earlier) return mustInviteAgain ? rights.write(actor, (trx) => withLinks(trx, earlier)) : earlier
  await checkOpen(db, actor, body)
  const rows = await checkRows(db, env, body)
  for (const { user } of rows) refuse(refusal(actor, null, user, NO_FACTS))
  // Hashing is slow, so it happens before the transaction, and only for users that can be added.
  await passwords.change(actor.id, () => hashPasswords(passwords, rows, () => isRepeated(db, actor, call)))
  const imported = await rights.write(actor, async (trx) => {
    let isNew = false
    const added = await once(trx, actor, call, async () => {
      isNew = true
      await requireWorkspace(trx, body.workspace_id)
      const run = await beginOrContinue(trx, actor, body)
      return addRows(trx, actor, run, rows)
    })
    return mustInviteAgain || (body.invite && isNew) ? withLinks(trx, added) : added
  })
  if (body.invite) mails.wake()
  return imported

  /** Not part of the response that is stored for a repeated call. */
  async function withLinks(trx: Trx, added: UsersImported): Promise<UsersImported> {
    const links = await inviteAdded(trx, env, actor, { added, workspace_id: body.workspace_id, consoleAddress })
    return { ...added, rows: added.rows.map((row) => ({ ...row, ...links.get(row.user_id ?? 0) })) }
  }
}

/** What tells a request from another one with the same key. Not even a digest of a password is stored. */
function withoutPasswords({ rows, ...body }: UsersImport) {
  return JSON.stringify({ ...body, rows: rows.map(({ password: _, ...row }) => row) })
}

/** One after the other, so that the queue of all passwords stays short. */
async function hashPasswords(passwords: Passwords, rows: ImportedRow[], isDone: () => Promise<boolean>) {
  // A repeated call may have waited for the first one.
  if (await isDone()) return
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

async function isRepeated(db: Db, actor: Actor, call: Call) {
  return (await earlierResponse(db, actor, call)) !== undefined
}

/**
 * Invites the users that a call has added without a password, and returns the links that are not sent by mail. A repeated
 * call invites them again, unless they have chosen a password or become someone whom the caller may not invite.
 */
async function inviteAdded(
  trx: Trx,
  env: Pick<Deps['env'], 'SMTP_URL'>,
  actor: Actor,
  { added, workspace_id, consoleAddress }: { added: UsersImported; workspace_id: number; consoleAddress: string },
) {
  const ids = added.rows.flatMap(({ user_id }) => user_id ?? [])
  const users = await trx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email', 'workspace_id', 'has_password'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .where('workspace_id', '=', workspace_id)
    .where('has_password', '=', false)
    .where('is_super_admin', '=', false)
    .where('is_auditor', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const links = new Map<number, { link: string }>()
  for (const user of users) {
    const { link } = await invite(trx, env, actor, user, consoleAddress)
    if (link !== null) links.set(user.id, { link })
  }
  return links
}
