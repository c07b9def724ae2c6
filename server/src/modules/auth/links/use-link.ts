import type { OpenedLink } from '@watchdesk/contract/auth/links'
import type { Session } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import type { Client } from '../../../actor.ts'
import { endSignIns } from '../../../db/access.ts'
import { changesBetween } from '../../../db/audit.ts'
import { retriedTransaction } from '../../../db/deadlock.ts'
import { editedBy, lockUser } from '../../../db/entity.ts'
import { nameBlocker, waitBriefly } from '../../../db/lock-wait.ts'
import { queueForgottenPassword } from '../../../db/mail-queue.ts'
import type { Trx } from '../../../db/open.ts'
import { exists } from '../../../db/read.ts'
import type { SignInDeps } from '../../../deps.ts'
import { Problem } from '../../../problem.ts'
import { auditOwn } from '../audit-account.ts'
import { mailOwner, notify } from '../notices.ts'
import { unlock } from '../session/lockout.ts'
import { requirePasswordLogin } from '../session/passwords.ts'
import { consumeLink, findLink, linkExpired } from './store.ts'

const NO_MAILS = 'This server sends no mails. Ask your administrator for a link to choose another password.'

type NewPassword = { token: string; password_hash: string; ip: string }

export function linksStore({ db, env, passwords, sessions }: SignInDeps) {
  return { open, choosePassword, signIn, forgotPassword }

  async function open(token: string): Promise<OpenedLink> {
    const { kind, first_name, email, expires_at } = await findPasswordLink(token)
    return { kind, first_name, email, expires_at: expires_at.toISOString() }
  }

  async function choosePassword(token: string, password: string, ip: string) {
    const user = await findPasswordLink(token)
    const password_hash = await passwords.change(user.id, () => passwords.hash(password, user))
    const chosen = retriedTransaction(db, (trx) => setPassword(trx, user.id, { token, password_hash, ip }))
    await nameBlocker(db, { seesEverything: false }, chosen)
  }

  async function setPassword(trx: Trx, id: number, { token, password_hash, ip }: NewPassword) {
    await waitBriefly(trx)
    const user = await lockUser(trx, id)
    if (!user) throw linkExpired()
    const owner = { ...user, ip }
    const { kind, created_by } = await consumeLink(trx, token, id)
    // New users expect their invitation. Those of single sign-on have no password either.
    const isKnown = kind === 'password' || (await exists(trx, sql`select from sign_ins where user_id = ${id}`))
    if (isKnown) await notifyOfLink(trx, created_by, owner)
    const set = { password_hash, has_password: true, ...editedBy(user) }
    await trx.updateTable('users').set(set).where('id', '=', id).execute()
    await endSignIns(trx, sql`users.id = ${id}`, { withTokens: true })
    await unlock(trx, user.email)
    const changes = { kind: { before: null, after: kind } }
    await auditOwn(trx, owner, { action: 'use', entity: 'link', changes })
    const change = { version: user.version + 1, changes: changesBetween({}, { password: true }) }
    await auditOwn(trx, owner, { action: 'update', entity: 'user', ...change })
  }

  /** Otherwise an admin who uses a link instead of handing it over would go unnoticed, or somebody who reads the mails. */
  async function notifyOfLink(trx: Trx, created_by: number | null, user: { id: number; email: string; ip: string }) {
    if (created_by === null || created_by === user.id) return mailOwner(trx, env, 'own_password', user)
    const author = await trx.selectFrom('users').select('full_name').where('id', '=', created_by).executeTakeFirst()
    const actor = { name: author?.full_name ?? null }
    await notify(trx, env, { whose: sql`users.id = ${user.id}`, kind: 'password_link_used', actor })
  }

  async function signIn(token: string, client: Client): Promise<Session> {
    const link = await findLink(db, token)
    if (link?.kind !== 'sign_in') throw linkExpired()
    const consume = async (trx: Trx) => void (await consumeLink(trx, token, link.id))
    return sessions.open(link.id, { client, method: 'link' }, consume, linkExpired)
  }

  async function forgotPassword(email: string) {
    requirePasswordLogin(env)
    if (env.SMTP_URL === undefined) throw new Problem(404, NO_MAILS)
    await queueForgottenPassword(db, email)
  }

  async function findPasswordLink(token: string) {
    requirePasswordLogin(env)
    const link = await findLink(db, token)
    if (!link || link.kind === 'sign_in') throw linkExpired()
    return { ...link, kind: link.kind }
  }
}
