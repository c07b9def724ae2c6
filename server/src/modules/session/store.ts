import { randomBytes } from 'node:crypto'
import type { Login, Session } from '@watchdesk/contract/session'
import { sql, type Transaction } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit } from '../../db/audit.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import type { SystemDb } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { forbidden, Problem } from '../../problem.ts'
import type { Semaphores } from '../../semaphore.ts'
import { hashToken } from '../../token.ts'
import type { Lockout } from './lockout.ts'
import { createPace } from './pace.ts'
import type { Passwords } from './passwords.ts'

type Caller = { ip: string; user_agent: string | undefined }

type Parts = {
  db: SystemDb
  passwords: Passwords
  lockout: Lockout
  semaphores: Pick<Semaphores, 'signIns' | 'signInsPerEmail'>
}

export function sessionStore({ db, passwords, lockout, semaphores }: Parts) {
  const pace = createPace()

  return { create, remove }

  async function create(login: Login, caller: Caller): Promise<Session> {
    const started = performance.now()
    const outcome = await semaphores.signIns.run(() => signIn(login, caller))
    if (typeof outcome === 'object') return outcome
    // Outside the semaphore, so that this wait does not delay other sign-ins.
    if (outcome === 'locked') await pace.keep(started)
    else pace.note(started)
    throw refused()
  }

  async function signIn(login: Login, caller: Caller): Promise<Session | 'wrong' | 'locked'> {
    const email = login.email.toLowerCase()
    const { outcome, user } = await semaphores.signInsPerEmail.run(email, () =>
      checkPassword(email, login.password, caller),
    )
    if (outcome !== 'right') return outcome
    if (!user) return 'wrong'
    if (!user.is_admin && !user.is_super_admin) throw forbidden('This account may not use the console.')

    const access_token = randomBytes(32).toString('base64url')
    const createSession = async (trx: Transaction<Tables>) => {
      await checkUnchanged(trx, user)
      const { ip } = caller
      const user_agent = caller.user_agent?.slice(0, 500) ?? null
      await trx
        .insertInto('sessions')
        .values({ token_hash: hashToken(access_token), user_id: user.id, ip, user_agent })
        .execute()
      await sql`insert into sign_ins (user_id) values (${user.id})
        on conflict (user_id) do update set at = greatest(sign_ins.at, excluded.at)`.execute(trx)
      const actor = { id: user.id, name: user.full_name, ip }
      await audit(trx, actor, {
        action: 'login',
        entity: 'session',
        entity_id: user.id,
        record: { name: user.full_name, detail: user.email, workspace_id: user.workspace_id },
        changes: {},
      })
    }
    // A deletion of the workspace locks its users first.
    await retryOnDeadlock(() => db.transaction().execute(createSession))
    return { access_token }
  }

  /** Takes the same steps whether or not the account exists, so that neither response nor timing reveals it. */
  async function checkPassword(email: string, password: string, { ip }: Caller) {
    const user = await findUser(email)
    const outcome = await lockout.attempt({ email, ip, user_id: user?.id ?? null }, () =>
      passwords.verify(user?.password_hash, password),
    )
    return { outcome, user }
  }

  function findUser(email: string) {
    return db
      .selectFrom('users')
      .select(['id', 'full_name', 'email', 'workspace_id', 'password_hash', 'is_admin', 'is_super_admin'])
      .where(sql`lower(email)`, '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  /**
   * The password or the access may have been revoked, with all sessions, while the password was being checked. Locks the
   * workspace too: it is deactivated either before, or with the new session.
   */
  async function checkUnchanged(trx: Transaction<Tables>, user: { id: number; password_hash: string }) {
    const unchanged = await trx
      .selectFrom('workspaces')
      .innerJoin('users', 'users.workspace_id', 'workspaces.id')
      .select('workspaces.status')
      .where('users.id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .where('users.deleted_at', 'is', null)
      .where('workspaces.deleted_at', 'is', null)
      .where((is) => is.or([is('is_admin', '=', true), is('is_super_admin', '=', true)]))
      .forShare()
      .executeTakeFirst()
    if (!unchanged) throw refused()
    if (unchanged.status === 'DEACTIVATED') throw forbidden(DEACTIVATED)
  }

  async function remove(actor: Actor) {
    await db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('sessions')
        .where('token_hash', '=', actor.token_hash)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return
      const { id, name, email, workspace_id } = actor
      const record = { name, detail: email, workspace_id }
      await audit(trx, actor, { action: 'logout', entity: 'session', entity_id: id, record, changes: {} })
    })
  }
}

const DEACTIVATED = 'Your workspace is deactivated, so you cannot sign in. Ask a super admin to activate it again.'

function refused() {
  return new Problem(401, 'Wrong email or password.')
}
