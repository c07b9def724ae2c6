import type { AuditEvent } from '@watchdesk/contract/activity'
import { type RawBuilder, sql } from 'kysely'
import { conflict } from '../problem.ts'
import { lockSuperAdmins } from './entity.ts'
import { endLinks } from './mail-queue.ts'
import type { Db, Trx } from './open.ts'

export const IN_USE = `workspaces.deleted_at is null and workspaces.status is distinct from 'DEACTIVATED'`
export const isInUse = sql.raw<boolean>(IN_USE)

/** Who may use the console, if their workspace is in use. */
export const HAS_ACCESS = '(users.is_admin or users.is_super_admin or users.is_auditor)'
export const userHasAccess = sql.raw<boolean>(HAS_ACCESS)

export function superAdminsWithAccess(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select(['users.id', 'users.workspace_id'])
    .where('users.is_super_admin', '=', true)
    .where('users.deleted_at', 'is', null)
    .where(isInUse)
}

/** Throws if nobody who can sign in would be a super admin without these users. Call it in the transaction of the change. */
export async function requireSuperAdminWithout(trx: Trx, losing: RawBuilder<unknown>, message: string) {
  await lockSuperAdmins(trx)
  const other = superAdminsWithAccess(trx).where(sql<boolean>`not (${losing})`)
  if (!(await other.limit(1).executeTakeFirst())) throw conflict(message)
}

/** Whether all super admins who can sign in are in this workspace. Call it after `lockSuperAdmins`. */
export async function hasLastSuperAdmins(trx: Trx, workspace_id: number) {
  const admins = await superAdminsWithAccess(trx).execute()
  return admins.length > 0 && admins.every((admin) => admin.workspace_id === workspace_id)
}

type Ending = {
  /** The hash of the token of the one session that is kept. */
  kept?: Buffer
  /** A link is valid only as long as the person who created it may give it, so more rights need not end it. */
  withLinks?: boolean
  /** Tokens end too, unless the users will get their access back with their workspace. */
  withTokens?: boolean
}

/** Call it in the transaction in which users lose their access, or get another password or their first second factor. */
export async function endSignIns(
  trx: Trx,
  whose: RawBuilder<unknown>,
  { kept, withLinks = true, withTokens = false }: Ending = {},
) {
  const ids = sql`(select users.id from users where ${whose})`
  if (withLinks) await endLinks(trx, whose)
  await sql`delete from pending_sign_ins where user_id in ${ids}`.execute(trx)
  const tokens = withTokens ? await sql`delete from api_tokens where user_id in ${ids}`.execute(trx) : undefined
  const isEnded = kept ? sql`and token_hash <> ${kept}` : sql``
  const sessions = await sql`delete from sessions where user_id in ${ids} ${isEnded}`.execute(trx)
  return { sessions: Number(sessions.numAffectedRows ?? 0), tokens: Number(tokens?.numAffectedRows ?? 0) }
}

export function endedSignIns(ended: Awaited<ReturnType<typeof endSignIns>>, kept = 0): AuditEvent['changes'] {
  const { sessions, tokens } = ended
  return {
    ...(sessions > 0 && { sessions: { before: sessions + kept, after: kept } }),
    ...(tokens > 0 && { tokens: { before: tokens, after: 0 } }),
  }
}
