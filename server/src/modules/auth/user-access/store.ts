import type { Notice } from '@watchdesk/contract/auth/session'
import type { SecondFactorResetOptions, UserAccess } from '@watchdesk/contract/auth/user-access'
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { isoTime } from '../../../db/iso-time.ts'
import type { Trx } from '../../../db/open.ts'
import { exists, rowsOf } from '../../../db/read.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Deps } from '../../../deps.ts'
import { conflict, found, refuse } from '../../../problem.ts'
import { refusalToEndSignIns, refusalToManageSignIns } from '../../users/rules.ts'
import { requireLiveUser } from '../../users/store.ts'
import { auditAccount } from '../audit-account.ts'
import { invite } from '../links/store.ts'
import { notify } from '../notices.ts'
import { removeCredentials } from '../second-factor/remove-credentials.ts'
import { failureCount, lockedUntil } from '../session/lockout.ts'
import { secondFactorStateOf } from '../session/second-factors.ts'
import { endSessions, sessionsOf } from '../session/sessions.ts'
import { endTokens, tokensOf } from '../tokens/store.ts'

type UserRow = Selectable<Tables['users']>
type Facts = Omit<UserAccess, 'sessions' | 'tokens' | 'second_factor'>

const ENDINGS = { sessions_ended: endSessions, tokens_ended: endTokens }

export function userAccessStore({ db, rights, env, passwords, mails }: Deps) {
  return { get, end, resetSecondFactor }

  async function get(actor: Actor, id: number): Promise<UserAccess> {
    const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
    const user = requireLiveUser(actor, row)
    refuse(refusalToManageSignIns(actor, user))
    const [facts] = await rowsOf(db, factsOf(user))
    return {
      ...found(facts, 'User'),
      sessions: await sessionsOf(db, actor, id, env),
      tokens: await tokensOf(db, id),
      second_factor: await secondFactorStateOf(db, id),
    }
  }

  /** One, or all of them. */
  function end(notice: keyof typeof ENDINGS, actor: Actor, id: number, one?: number) {
    return change(actor, id, async (trx, user) => {
      const hasEnded = await ENDINGS[notice](trx, actor, user, one)
      if (hasEnded && id !== actor.id) await tell(trx, actor, id, notice)
    })
  }

  /** Its reason may be that somebody else has it, so it ends all that this person could have opened with it. */
  async function resetSecondFactor(actor: Actor, id: number, options: SecondFactorResetOptions, address: string) {
    const { end_tokens, require_new_password } = options
    const password_hash = require_new_password && env.PASSWORD_LOGIN === 'on' ? await passwords.unknown() : undefined
    const invitation = await change(actor, id, async (trx, user) => {
      // Otherwise a hijacked session could remove what protects its account.
      if (id === actor.id)
        throw conflict('You cannot reset your own second factors. Change them in your account, or ask another admin.')
      const { authenticator, passkeys, recovery_codes_left } = await secondFactorStateOf(trx, id)
      const ended = await removeCredentials(trx, id, { password_hash, withTokens: end_tokens })
      const changes = {
        authenticators: { before: authenticator ? 1 : 0, after: 0 },
        passkeys: { before: passkeys.length, after: 0 },
        recovery_codes: { before: recovery_codes_left, after: 0 },
        ...ended,
      }
      await auditAccount(trx, actor, user, { action: 'reset', entity: 'second_factor', changes })
      // A reset may be repeated, and a thief may have removed the factors before.
      if (authenticator || passkeys.length > 0) await tell(trx, actor, id, 'second_factor_reset')
      else if (ended.sessions) await tell(trx, actor, id, 'sessions_ended')
      if (ended.tokens) await tell(trx, actor, id, 'tokens_ended')
      // Their link has ended too, if they had one. Without a password, users of single sign-on need none.
      const needsLink = password_hash !== undefined && (user.has_password || !(await hasSso(trx, id)))
      return needsLink ? invite(trx, env, actor, user, address) : null
    })
    mails.wake()
    return invitation
  }

  function tell(trx: Trx, actor: Actor, id: number, kind: Notice['kind']) {
    return notify(trx, env, { whose: sql`users.id = ${id}`, kind, actor })
  }

  function change<Result>(actor: Actor, id: number, work: (trx: Trx, user: UserRow) => Promise<Result>) {
    return rights.writeUser(actor, { id }, (trx, row) => {
      const user = requireLiveUser(actor, row)
      refuse(refusalToEndSignIns(actor, user))
      return work(trx, user)
    })
  }
}

function hasSso(trx: Trx, user_id: number) {
  return exists(trx, sql`select from sso_accounts where user_id = ${user_id}`)
}

function factsOf({ id, email, has_password }: UserRow) {
  const user = { id: sql`${id}::int`, email: sql`${email}::text` }
  return sql<Facts>`select ${has_password}::boolean as has_password,
    (select ${isoTime(sql`expires_at`)} from one_time_links where user_id = ${id} and kind = 'invitation')
      as invitation_expires_at,
    ${failureCount(user)} as failed_count, ${lockedUntil(user)} as locked_until,
    (select ${isoTime(sql`at`)} from audit_events
      where entity = 'session' and entity_id = ${id} and action = 'login_failed'
      order by at desc, id desc limit 1) as last_failed_at`
}
