import {
  type Login,
  type PendingSignIn,
  type Session,
  type SignInMethod,
  SSO_PROBLEMS,
} from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import type { Actor, Client, SigningIn } from '../../../actor.ts'
import { isInUse, userHasAccess } from '../../../db/access.ts'
import { retriedTransaction } from '../../../db/deadlock.ts'
import type { Trx } from '../../../db/open.ts'
import type { ServerDeps } from '../../../deps.ts'
import { forbidden, Problem } from '../../../problem.ts'
import { hashToken, randomToken } from '../../../token.ts'
import { type Account, auditOwn, type Owner, ownerOf } from '../audit-account.ts'
import { sealIdToken } from './id-token.ts'
import { createPace } from './pace.ts'
import { requirePasswordLogin } from './passwords.ts'
import { consumePending, savePending, signInExpired } from './pending.ts'
import { secondFactorIsRequired, secondFactorsOf } from './second-factors.ts'

const SET_UP_LOCKS = 7_238_021

type SessionUser = Account & { password_hash: string; is_super_admin: boolean; is_auditor: boolean }
type SignIn = { client: Client; method: SignInMethod; proved_at?: Date; id_token?: string }
type Accept<Result> = (trx: Trx, user: SessionUser & Owner) => Promise<Result>

export type SessionStore = ReturnType<typeof sessionStore>

export function sessionStore({ db, env, passwords, lockout, semaphores }: ServerDeps) {
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

  async function signIn(email: string, password: string, client: Client) {
    const user = await findUser(email)
    // The same steps whether or not the account exists, so that neither response nor timing reveals it.
    const outcome = await lockout.attempt({ email, ip: client.ip, user_id: user?.id ?? null }, () =>
      passwords.verify(user?.password_hash, password),
    )
    if (outcome !== 'right') return outcome
    if (!user) return 'wrong'
    if (!user.is_admin && !user.is_super_admin && !user.is_auditor)
      throw forbidden('This account may not use the console.')
    // A deletion of the workspace locks its users first.
    return retriedTransaction(db, async (trx): Promise<Session | PendingSignIn> => {
      const sessionUser = await lockSessionUser(trx, user.id)
      if (sessionUser?.password_hash !== user.password_hash) throw wrongPassword()
      const methods = await secondFactorsOf(trx, user.id)
      const next =
        methods.length > 0 ? 'second_factor' : secondFactorIsRequired(env, sessionUser) ? 'set_up' : undefined
      if (!next) return { access_token: await openSession(trx, sessionUser, { client, method: 'password' }) }
      const data = { password: fingerprint(sessionUser) }
      const pending = { kind: next, user_id: user.id, data } as const
      const { token, expires_at } = await savePending(trx, pending)
      return { sign_in_token: token, next, methods, expires_at }
    })
  }

  function finish<Result>(signingIn: SigningIn, method: SignInMethod, accept: Accept<Result>) {
    const { token_hash, user_id, mustSetUp, ...client } = signingIn
    return open(user_id, { client, method }, async (trx, user) => {
      // The row of the user is only locked against changes, so two set-ups could both find no second factor.
      if (mustSetUp) await sql`select pg_advisory_xact_lock(${SET_UP_LOCKS}::int, ${user_id}::int)`.execute(trx)
      const pending = await consumePending(trx, mustSetUp ? 'set_up' : 'second_factor', token_hash)
      if (pending?.user_id !== user_id || pending.data.password !== fingerprint(user)) throw signInExpired()
      return accept(trx, user)
    })
  }

  /** Signs in a user who was identified, if the work in the transaction accepts it. `refused` is for one without access. */
  function open<Result>(user_id: number, how: SignIn, accept: Accept<Result>, refused = signInExpired) {
    return retriedTransaction(db, async (trx) => {
      const user = await lockSessionUser(trx, user_id)
      if (!user) throw refused()
      const result = await accept(trx, { ...user, ip: how.client.ip })
      return { access_token: await openSession(trx, user, how), result }
    })
  }

  /** The row of the user must be locked. */
  async function openSession(trx: Trx, user: SessionUser, { client, method, proved_at, id_token }: SignIn) {
    const max = env.SESSIONS_PER_USER
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
    const changes = { method: { before: null, after: method } }
    await auditOwn(trx, { ...user, ip }, { action: 'login', entity: 'session', changes })
    const { rows: ended } = await sql`delete from sessions where token_hash in (
        select token_hash from sessions where user_id = ${user.id}
        order by last_seen_at desc, id desc offset ${max} for update skip locked)
      returning id`.execute(trx)
    if (ended.length > 0) {
      const sessions = { before: max + ended.length, after: max }
      await auditOwn(trx, { ...user, ip }, { action: 'end_sessions', entity: 'session', changes: { sessions } })
    }
    return access_token
  }

  function findUser(email: string) {
    return db
      .selectFrom('users')
      .select(['id', 'password_hash', 'is_admin', 'is_super_admin', 'is_auditor'])
      .where(sql`lower(email)`, '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  async function remove(actor: Actor) {
    return db.transaction().execute(async (trx) => {
      const removed = await trx
        .deleteFrom('sessions')
        .where('token_hash', '=', actor.token_hash)
        .returning('id_token')
        .executeTakeFirst()
      if (!removed) return null
      await auditOwn(trx, ownerOf(actor), { action: 'logout', entity: 'session', changes: {} })
      return removed.id_token
    })
  }
}

/** Locked until the commit: access that is revoked, with all sessions, is revoked either before or with the new one. */
async function lockSessionUser(trx: Trx, id: number): Promise<SessionUser | undefined> {
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

/** A sign-in that began with a password ends when another one is set. */
function fingerprint({ password_hash }: SessionUser) {
  return hashToken(password_hash).toString('hex')
}

function wrongPassword() {
  return new Problem(401, 'Wrong email or password.')
}
