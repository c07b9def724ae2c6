import { randomBytes } from 'node:crypto'
import type { Login, Session } from '@watchdesk/contract/session'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit } from '../../db/audit.ts'
import type { Db } from '../../db/open.ts'
import { hashToken } from '../../plugins/auth.ts'
import { forbidden, Problem } from '../../problem.ts'
import { createLockout } from './lockout.ts'
import type { Passwords } from './passwords.ts'
import { createQueue } from './queue.ts'

type Caller = { ip: string; user_agent: string | undefined }

export function sessionStore(db: Db, passwords: Passwords) {
  const lockout = createLockout(db)
  const oneByOne = createQueue()

  return { create, remove }

  async function create(login: Login, caller: Caller): Promise<Session> {
    const email = login.email.toLowerCase()
    const user = await oneByOne(email, () => checkPassword(email, login.password))
    if (!user) throw new Problem(401, 'Wrong email or password.')
    if (!user.is_admin && !user.is_super_admin) throw forbidden('This account may not use the console.')

    const access_token = randomBytes(32).toString('base64url')
    await db.transaction().execute(async (trx) => {
      const { ip } = caller
      const user_agent = caller.user_agent?.slice(0, 500) ?? null
      await trx
        .insertInto('sessions')
        .values({ token_hash: hashToken(access_token), user_id: user.id, ip, user_agent })
        .execute()
      const actor = { id: user.id, name: user.full_name, ip }
      await audit(trx, actor, { action: 'login', entity: 'session', entity_id: user.id, changes: {} })
    })
    return { access_token }
  }

  /** The same steps whether or not the account exists, so that neither answer nor time tells. */
  async function checkPassword(email: string, password: string) {
    if (!(await lockout.enter(email))) return undefined
    let isRight = false
    try {
      const user = await findUser(email)
      isRight = await passwords.verify(user?.password_hash, password)
      return isRight ? user : undefined
    } finally {
      await lockout.settle(email, isRight)
    }
  }

  function findUser(email: string) {
    return db
      .selectFrom('users')
      .select(['id', 'full_name', 'password_hash', 'is_admin', 'is_super_admin'])
      .where(sql`lower(email)`, '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  }

  async function remove(actor: Actor) {
    await db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('sessions')
        .where('token_hash', '=', actor.token_hash)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return
      await audit(trx, actor, { action: 'logout', entity: 'session', entity_id: actor.id, changes: {} })
    })
  }
}
