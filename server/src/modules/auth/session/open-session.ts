import { type SignInMethod, SSO_PROBLEMS } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import { isInUse, userHasAccess } from '../../../db/access.ts'
import type { Trx } from '../../../db/open.ts'
import type { Env } from '../../../env.ts'
import { forbidden } from '../../../problem.ts'
import { hashToken, randomToken } from '../../../token.ts'
import { type Account, auditAccount } from '../audit-account.ts'
import { sealIdToken } from './id-token.ts'
import type { Client } from './pending.ts'

/** A user who may sign in. */
export type SessionUser = Account & { password_hash: string; is_super_admin: boolean; is_auditor: boolean }

/**
 * The user, if they may sign in. Their row and their workspace are locked until the commit: access that is revoked, with
 * all sessions, is revoked either before or with the new session.
 */
export async function lockSessionUser(trx: Trx, id: number): Promise<SessionUser | undefined> {
  const user = await trx
    .selectFrom('workspaces')
    .innerJoin('users', 'users.workspace_id', 'workspaces.id')
    .select(['users.id', 'users.full_name', 'users.email', 'users.workspace_id', 'users.password_hash'])
    .select(['users.is_super_admin', 'users.is_auditor', isInUse.as('is_in_use')])
    .where('users.id', '=', id)
    .where('users.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .where(userHasAccess)
    .forShare()
    .executeTakeFirst()
  if (user && !user.is_in_use) throw forbidden(SSO_PROBLEMS.deactivated)
  return user
}

export type SignIn = { client: Client; method: SignInMethod; proved_at?: Date; id_token?: string }

/** Creates the session of a user who is locked. Beyond the limit, those that were not used for the longest time end. */
export async function openSession(
  trx: Trx,
  user: SessionUser,
  { client, method, proved_at, id_token }: SignIn,
  { SESSIONS_PER_USER: max }: Pick<Env, 'SESSIONS_PER_USER'>,
) {
  const access_token = randomToken()
  const { ip } = client
  const user_agent = client.user_agent?.slice(0, 500) ?? null
  await trx
    .insertInto('sessions')
    .values({
      ...{ token_hash: hashToken(access_token), user_id: user.id, ip, user_agent, method, proved_at },
      id_token: id_token === undefined ? null : sealIdToken(access_token, id_token),
    })
    .execute()
  await sql`insert into sign_ins (user_id) values (${user.id})
    on conflict (user_id) do update set at = greatest(sign_ins.at, excluded.at)`.execute(trx)
  const actor = { id: user.id, name: user.full_name, ip }
  const changes = { method: { before: null, after: method } }
  await auditAccount(trx, actor, user, { action: 'login', entity: 'session', changes })
  const { rows: ended } = await sql`delete from sessions where token_hash in (
      select token_hash from sessions where user_id = ${user.id}
      order by last_seen_at desc, id desc offset ${max} for update skip locked)
    returning id`.execute(trx)
  if (ended.length > 0) {
    const sessions = { before: max + ended.length, after: max }
    await auditAccount(trx, actor, user, { action: 'end_sessions', entity: 'session', changes: { sessions } })
  }
  return access_token
}
