import type { AuditEvent } from '@watchdesk/contract/activity'
import type { UserUpdate } from '@watchdesk/contract/users'
import { type Selectable, sql } from 'kysely'
import { type Actor, requireRecentSignIn, tokenRefused } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { invalid } from '../../problem.ts'
import { mailOwner, notify } from '../auth/notices.ts'
import { changesSignIn } from './rules.ts'

type Account = Selectable<Tables['users']>
type Changes = AuditEvent['changes']
type Ready = { password_hash?: string; isConfirmed: boolean }

const WRONG = 'The current password is wrong. After ten wrong attempts, you have to wait ten minutes.'

/** Changes to passwords and emails, which users sign in with. */
export function createCredentials({ passwords, lockout, env }: Pick<Deps, 'passwords' | 'lockout' | 'env'>) {
  return { prepare, checkConfirmed }

  /** Hashes a new password. Changes of their own password or email need a recent sign-in, or the current password. */
  async function prepare(actor: Actor, id: number, body: UserUpdate, load: () => Promise<Account>): Promise<Ready> {
    const { password, current_password, ...fields } = body
    const isOwn = actor.id === id
    if (current_password !== undefined && !isOwn)
      throw invalid('current_password', 'Leave out current_password: it is only for changes to your own account.')
    if (password === undefined && !(isOwn && fields.email !== undefined)) return { isConfirmed: false }

    // A token proves nothing, and its owner could lose the account.
    if (isOwn && actor.credential === 'token') throw tokenRefused()
    return passwords.change(actor.id, async () => {
      const current = await load()
      const person = { ...current, ...fields }
      if (password !== undefined) passwords.check(password, person)
      const isConfirmed = isOwn && changesSignIn(current, { ...current, ...body })
      if (isConfirmed) await confirm(actor, current, current_password)
      return { isConfirmed, ...(password !== undefined && { password_hash: await passwords.hash(password, person) }) }
    })
  }

  /** Checked again in the transaction, because the email may have changed in the meantime. */
  function checkConfirmed(actor: Actor, current: Account, body: UserUpdate, { isConfirmed }: Ready) {
    const isOwn = actor.id === current.id
    if (isOwn && changesSignIn(current, { ...current, ...body }) && !isConfirmed) requireRecentSignIn(actor)
  }

  /** Wrong passwords count as failed sign-ins, otherwise a hijacked session could be used to guess the password. */
  async function confirm(actor: Actor, { email, password_hash, has_password }: Account, given: string | undefined) {
    if (given === undefined || !has_password || env.PASSWORD_LOGIN === 'off') return requireRecentSignIn(actor)
    const outcome = await lockout.attempt({ email, ip: actor.ip, user_id: actor.id }, () =>
      passwords.verifyOwn(password_hash, given),
    )
    if (outcome !== 'right') throw invalid('current_password', WRONG)
  }
}

/** Of each change to how a user signs in: the notice if somebody else made it, and the mail about one's own. */
const TOLD = [
  { field: 'password', notice: 'password_changed', mail: 'own_password' },
  { field: 'email', notice: 'email_changed', mail: 'own_email' },
  { field: 'tokens', notice: 'tokens_ended', mail: undefined },
] as const

/** Tells a user of these changes, before they are made. */
export async function notifyUser(trx: Trx, env: Deps['env'], actor: Actor, user: Account, changes: Changes) {
  const { id, email } = user
  for (const { field, notice, mail } of TOLD) {
    if (!(field in changes)) continue
    if (actor.id !== id) await notify(trx, env, { whose: sql`users.id = ${id}`, kind: notice, actor })
    else if (mail) await mailOwner(trx, env, mail, { id, email, ip: actor.ip })
  }
}
