import type { Login, PendingSignIn, SecondFactor, Session, SignInMethod } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import type { Actor, SigningIn } from '../../../actor.ts'
import { audit } from '../../../db/audit.ts'
import { retriedTransaction } from '../../../db/deadlock.ts'
import type { SystemDb, Trx } from '../../../db/open.ts'
import type { Env } from '../../../env.ts'
import { forbidden } from '../../../problem.ts'
import type { Semaphores } from '../../../semaphore.ts'
import { tokenKey } from '../../../token.ts'
import type { Lockout } from './lockout.ts'
import { lockSessionUser, openSession, type Proof, type SessionUser, wrongPassword } from './open-session.ts'
import { createPace } from './pace.ts'
import { requirePasswordLogin } from './password-login.ts'
import type { Passwords } from './passwords.ts'
import { type Client, consumePending, savePending, signInExpired } from './pending.ts'

const SET_UP_LOCKS = 7_238_021

type StoreDeps = {
  db: SystemDb
  env: Pick<Env, 'SESSIONS_PER_USER' | 'REQUIRE_SECOND_FACTOR' | 'PASSWORD_LOGIN' | 'OIDC_LABEL'>
  passwords: Passwords
  lockout: Lockout
  semaphores: Pick<Semaphores, 'signIns'>
}

export type SessionStore = ReturnType<typeof sessionStore>

export function sessionStore({ db, env, passwords, lockout, semaphores }: StoreDeps) {
  const pace = createPace()

  return { create, finish, open, remove }

  async function create(login: Login, client: Client): Promise<Session | PendingSignIn> {
    requirePasswordLogin(env)
    const started = performance.now()
    const email = login.email.toLowerCase()
    const outcome = await semaphores.signIns.run(() => signIn(email, login.password, client), { key: email })
    if (typeof outcome === 'object') return outcome
    // Outside the semaphore, so that this wait does not delay other sign-ins.
    if (outcome === 'locked') await pace.keep(started)
    else pace.note(started)
    throw wrongPassword()
  }

  async function signIn(
    email: string,
    password: string,
    client: Client,
  ): Promise<Session | PendingSignIn | 'wrong' | 'locked'> {
    const { outcome, user } = await checkPassword(email, password, client)
    if (outcome !== 'right') return outcome
    if (!user) return 'wrong'
    if (!user.is_admin && !user.is_super_admin && !user.is_auditor)
      throw forbidden('This account may not use the console.')
    // A deletion of the workspace locks its users first.
    return retriedTransaction(db, async (trx) => {
      const sessionUser = await lockSessionUser(trx, user.id, user.password_hash)
      const methods = await secondFactorsOf(trx, user.id)
      const next =
        methods.length > 0 ? 'second_factor' : secondFactorIsRequired(env, sessionUser) ? 'set_up' : undefined
      if (!next) return { access_token: await openFor(trx, sessionUser, client, 'password') }
      const data = { password: tokenKey(user.password_hash) }
      const pending = { kind: next, user_id: user.id, data } as const
      const { token, expires_at } = await savePending(trx, pending)
      return { sign_in_token: token, next, methods, expires_at }
    })
  }

  /** Finishes a sign-in, if the work in the transaction accepts the second factor. */
  function finish<Result>(
    { token_hash, user_id, mustSetUp, ip, user_agent }: SigningIn,
    method: SignInMethod,
    accept: (trx: Trx, user: SessionUser) => Promise<Result>,
  ): Promise<{ access_token: string; result: Result }> {
    return retriedTransaction(db, async (trx) => {
      // The row of the user is only locked against changes, so two set-ups could both find no second factor.
      if (mustSetUp) await sql`select pg_advisory_xact_lock(${SET_UP_LOCKS}::int, ${user_id}::int)`.execute(trx)
      const user = await lockSessionUser(trx, user_id)
      const pending = await consumePending(trx, token_hash)
      if (pending.user_id !== user_id || !(await hasSamePassword(trx, user_id, pending.data))) throw signInExpired()
      const result = await accept(trx, user)
      return { access_token: await openFor(trx, user, { ip, user_agent }, method), result }
    })
  }

  /** Signs in a user who was identified without a password, if the work in the transaction accepts it. */
  function open(
    user_id: number,
    { client, method, ...proof }: Proof & { client: Client; method: SignInMethod },
    accept: (trx: Trx, user: SessionUser) => Promise<void>,
  ): Promise<Session> {
    return retriedTransaction(db, async (trx) => {
      const user = await lockSessionUser(trx, user_id)
      await accept(trx, user)
      return { access_token: await openFor(trx, user, client, method, proof) }
    })
  }

  function openFor(trx: Trx, user: SessionUser, client: Client, method: SignInMethod, proof: Proof = {}) {
    return openSession(trx, user, { client, method, ...proof, maxSessions: env.SESSIONS_PER_USER })
  }

  /** Takes the same steps whether or not the account exists, so that neither response nor timing reveals it. */
  async function checkPassword(email: string, password: string, { ip }: Client) {
    const user = await findUser(email)
    const outcome = await lockout.attempt({ email, ip, user_id: user?.id ?? null }, () =>
      passwords.verify(user?.password_hash, password),
    )
    return { outcome, user }
  }

  function findUser(email: string) {
    return db
      .selectFrom('users')
      .select(['id', 'password_hash', 'is_admin', 'is_super_admin', 'is_auditor'])
      .where(sql`lower(email)`, '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  /** Returns the encrypted ID token of the session, if it has one. */
  async function remove(actor: Actor) {
    return db.transaction().execute(async (trx) => {
      const removed = await trx
        .deleteFrom('sessions')
        .where('token_hash', '=', actor.token_hash)
        .returning('id_token')
        .executeTakeFirst()
      if (!removed) return null
      const { id, name, email, workspace_id } = actor
      const record = { name, detail: email, workspace_id }
      await audit(trx, actor, { action: 'logout', entity: 'session', entity_id: id, record, changes: {} })
      return removed.id_token
    })
  }
}

/** A sign-in that began with a password ends when another one is set. */
async function hasSamePassword(trx: Trx, id: number, { password }: Record<string, unknown>) {
  if (password === undefined) return true
  const user = await trx.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()
  return tokenKey(user.password_hash) === password
}

/** Whether the server requires a second factor of a user. Auditors see as much as super admins. */
export function secondFactorIsRequired(
  { REQUIRE_SECOND_FACTOR }: Pick<Env, 'REQUIRE_SECOND_FACTOR'>,
  { is_super_admin, is_auditor }: { is_super_admin: boolean; is_auditor: boolean },
) {
  if (REQUIRE_SECOND_FACTOR !== 'super_admins') return REQUIRE_SECOND_FACTOR === 'all'
  return is_super_admin || is_auditor
}

/** What a user can enter as second factor. Recovery codes replace another one, and are none by themselves. */
export async function secondFactorsOf(trx: Trx, user_id: number): Promise<SecondFactor[]> {
  const { rows } = await sql<Record<SecondFactor, boolean>>`select
    exists (select from authenticators where user_id = ${user_id} and secret is not null) as authenticator,
    exists (select from passkeys where user_id = ${user_id}) as passkey,
    exists (select from recovery_codes where user_id = ${user_id} and used_at is null) as recovery_code`.execute(trx)
  const [has] = rows
  if (!has?.authenticator && !has?.passkey) return []
  return (['authenticator', 'passkey', 'recovery_code'] as const).filter((factor) => has[factor])
}
