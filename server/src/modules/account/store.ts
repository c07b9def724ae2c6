import type { Account } from '@watchdesk/contract/account'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { ownerOf } from '../auth/audit-account.ts'
import { secondFactorIsRequired, secondFactorStateOf } from '../auth/session/second-factors.ts'
import { endSessions } from '../auth/session/sessions.ts'
import { usersStore } from '../users/store.ts'

export function accountStore(deps: Deps) {
  const { db, read, rights, env } = deps
  const users = usersStore(deps)

  return { get, endSession, dismissNotices }

  async function get(actor: Actor): Promise<Account> {
    const user = found(await users.get(actor, actor.id), 'User')
    const [more] = await read(sql<{ has_password: boolean; has_sso: boolean }>`select has_password,
        exists (select from sso_accounts where user_id = users.id) as has_sso from users where id = ${actor.id}`)
    const is_required = secondFactorIsRequired(env, user)
    return {
      ...user,
      ...found(more, 'User'),
      second_factor: { ...(await secondFactorStateOf(db, actor.id)), is_required },
      session_idle_minutes: env.SESSION_IDLE_MINUTES,
      session_max_minutes: env.SESSION_MAX_MINUTES,
      sessions_max: env.SESSIONS_PER_USER,
    }
  }

  async function endSession(actor: Actor, id?: number) {
    await rights.write(actor, (trx) => endSessions(trx, actor, ownerOf(actor), id))
  }

  /** Those that came after the page was loaded stay, because the user has not seen them. */
  async function dismissNotices(actor: Actor, up_to: number) {
    await rights.write(actor, async (trx) => {
      await trx.deleteFrom('account_notices').where('user_id', '=', actor.id).where('id', '<=', up_to).execute()
    })
  }
}
