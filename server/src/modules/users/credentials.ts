import type { UserUpdate } from '@watchdesk/contract/users'
import { type Actor, requireRecentSignIn, tokenRefused } from '../../actor.ts'
import type { Env } from '../../env.ts'
import { invalid } from '../../problem.ts'
import type { Lockout } from '../auth/session/lockout.ts'
import type { Passwords } from '../auth/session/passwords.ts'

type Account = {
  id: number
  email: string
  first_name: string
  last_name: string
  password_hash: string
  has_password: boolean
}
type Ready = { password_hash?: string; isConfirmed: boolean }

/** Changes to passwords and emails, which users sign in with. */
export function createCredentials(
  passwords: Passwords,
  lockout: Lockout,
  { PASSWORD_LOGIN }: Pick<Env, 'PASSWORD_LOGIN'>,
) {
  return { prepare, checkConfirmed }

  /**
   * Hashes a new password. Changes of their own password or email need a recent sign-in, or the current password.
   */
  async function prepare(
    actor: Actor,
    id: number,
    body: UserUpdate,
    loadAccount: () => Promise<Account>,
  ): Promise<Ready> {
    const { password, current_password, ...fields } = body
    const isOwn = actor.id === id
    if (current_password !== undefined && !isOwn)
      throw invalid('current_password', 'Leave out current_password: it is only for changes to your own account.')
    if (password === undefined && !(isOwn && fields.email !== undefined)) return { isConfirmed: false }

    // A token proves nothing, and its owner could lose the account.
    if (isOwn && actor.credential === 'token') throw tokenRefused()
    return passwords.change(actor.id, async () => {
      const current = await loadAccount()
      const person = { ...current, ...fields }
      if (password !== undefined) passwords.check(password, person)
      const isConfirmed = isOwn && changesSignIn(current, body)
      if (isConfirmed) await confirm(actor, current, current_password)
      return { isConfirmed, ...(password !== undefined && { password_hash: await passwords.hash(password, person) }) }
    })
  }

  /** Checked again in the transaction, because the email may have changed in the meantime. */
  function checkConfirmed(actor: Actor, current: Account, body: UserUpdate, { isConfirmed }: Ready) {
    if (actor.id === current.id && changesSignIn(current, body) && !isConfirmed) requireRecentSignIn(actor)
  }

  /** Wrong passwords count as failed sign-ins, otherwise a hijacked session could be used to guess the password. */
  async function confirm(actor: Actor, { email, password_hash, has_password }: Account, given: string | undefined) {
    if (given === undefined || !has_password || PASSWORD_LOGIN === 'off') return requireRecentSignIn(actor)
    const outcome = await lockout.attempt({ email, ip: actor.ip, user_id: actor.id }, () =>
      passwords.verifyOwn(password_hash, given),
    )
    if (outcome !== 'right')
      throw invalid(
        'current_password',
        'The current password is wrong. After ten wrong attempts, you have to wait ten minutes.',
      )
  }
}

function changesSignIn(current: Account, { password, email }: UserUpdate) {
  return password !== undefined || (email !== undefined && email !== current.email)
}
