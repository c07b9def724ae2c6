import type { Account, AccountUpdate } from '@watchdesk/contract/account'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { auditStore } from '../activity/store.ts'
import { secondFactorStateOf } from '../auth/second-factor/state.ts'
import { endSessions, sessionsOf } from '../auth/session/sessions.ts'
import { secondFactorIsRequired } from '../auth/session/store.ts'
import { usersStore } from '../users/store.ts'

/** What users do with their own account. Auditors may do it too. */
export function accountStore(deps: Deps) {
  const { db, read, rights, env } = deps
  const users = usersStore(deps)
  const events = auditStore(deps)

  return { get, update, changePassword, listSessions, endSession, endOtherSessions, listEvents, dismissNotices }

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

  function update(actor: Actor, body: AccountUpdate, ifMatch?: string) {
    return users.update(actor, actor.id, body, ifMatch)
  }

  async function changePassword(actor: Actor, body: { password: string; current_password?: string | undefined }) {
    await users.update(actor, actor.id, body)
  }

  async function listSessions(actor: Actor) {
    return { objects: await sessionsOf(db, actor, actor.id, env) }
  }

  async function endSession(actor: Actor, id: number) {
    await rights.write(actor, (trx) => endSessions(trx, actor, ownerOf(actor), id))
  }

  async function endOtherSessions(actor: Actor) {
    await rights.write(actor, (trx) => endSessions(trx, actor, ownerOf(actor)))
  }

  async function listEvents(actor: Actor) {
    return { objects: await events.ofAccount(actor) }
  }

  /** Those that came after the page was loaded stay, because the user has not seen them. */
  async function dismissNotices(actor: Actor, up_to: number) {
    await rights.write(actor, async (trx) => {
      await trx.deleteFrom('account_notices').where('user_id', '=', actor.id).where('id', '<=', up_to).execute()
    })
  }
}

function ownerOf({ id, name, email, workspace_id }: Actor) {
  return { id, full_name: name, email, workspace_id }
}
