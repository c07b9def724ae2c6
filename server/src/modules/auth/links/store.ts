import type { OpenedLink } from '@watchdesk/contract/auth/links'
import { INVITATION_HOURS, PASSWORD_LINK_MINUTES, SIGN_IN_LINK_MINUTES } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { limitLinks } from '../../../db/mail-limits.ts'
import { endLinks, queueMail } from '../../../db/mail-queue.ts'
import type { Db, Trx } from '../../../db/open.ts'
import { exists } from '../../../db/read.ts'
import type { Env } from '../../../env.ts'
import { Problem } from '../../../problem.ts'
import { hashToken, randomToken } from '../../../token.ts'
import { type Account, auditAccount } from '../audit-account.ts'

/** `password` is from an admin, `forgotten` is what a user asked for, and `sign_in` is from the operator. */
const MINUTES = {
  invitation: INVITATION_HOURS * 60,
  password: PASSWORD_LINK_MINUTES,
  forgotten: PASSWORD_LINK_MINUTES,
  sign_in: SIGN_IN_LINK_MINUTES,
}
type LinkKind = keyof typeof MINUTES

const usedFor = sql<OpenedLink['kind'] | 'sign_in'>`replace(one_time_links.kind, 'forgotten', 'password')`

/** The link to choose a password that a user gets from an admin: an invitation if they could not sign in yet. */
export async function linkKindFor(db: Db, { id, has_password }: { id: number; has_password: boolean }) {
  const other = sql`select from sso_accounts where user_id = ${id}
    union all select from passkeys where user_id = ${id}
    union all select from sign_ins where user_id = ${id}`
  return has_password || (await exists(db, other)) ? 'password' : 'invitation'
}

/** The token follows #, so browsers send it to no server. */
export function addressOf(consoleAddress: string, kind: LinkKind, token: string) {
  return `${consoleAddress}/${kind === 'sign_in' ? 'sign_in' : 'set_password'}#${token}`
}

type NewLink = { user_id: number; kind: LinkKind; created_by: number | null }

/** Anybody can ask for a link for a forgotten password, so that ends no link of an admin. */
export async function createLink(trx: Trx, { user_id, kind, created_by }: NewLink) {
  const token = randomToken()
  const token_hash = hashToken(token)
  const expires_at = sql<Date>`now() + make_interval(mins => ${MINUTES[kind]})`
  if (kind === 'invitation' || kind === 'password') {
    const other = kind === 'invitation' ? 'password' : 'invitation'
    await trx.deleteFrom('one_time_links').where('user_id', '=', user_id).where('kind', '=', other).execute()
  }
  const { expires_at: end } = await trx
    .insertInto('one_time_links')
    .values({ user_id, kind, token_hash, created_by, expires_at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet({ token_hash, created_by, created_at: sql`now()`, expires_at }),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expires_at: end.toISOString() }
}

type Settings = Pick<Env, 'SMTP_URL'>
type Invited = Omit<Account, 'full_name'> & { first_name: string; last_name: string; has_password: boolean }

/** Call it after `requirePasswordLogin`, and wake the sender of mails after the commit. */
export async function invite(trx: Trx, env: Settings, actor: Actor, user: Invited, consoleAddress: string) {
  const { id: user_id, email } = user
  const kind = await linkKindFor(trx, user)
  const account = { ...user, full_name: `${user.first_name} ${user.last_name}` }
  const changes = { kind: { before: null, after: kind } }
  await auditAccount(trx, actor, account, { action: 'create', entity: 'link', changes })
  // Also those that wait to be sent, so that only the newest link works.
  await endLinks(trx, sql`users.id = ${user_id}`)
  if (env.SMTP_URL === undefined) {
    const { token, expires_at } = await createLink(trx, { user_id, kind, created_by: actor.id })
    return { link: addressOf(consoleAddress, kind, token), sent_to: null, expires_at }
  }
  await limitLinks(trx, { email, sender: actor.id })
  const data = { user_id, created_by: actor.id, by: actor.name }
  await queueMail(trx, { kind: kind === 'invitation' ? 'invitation' : 'new_password', email, data })
  return { link: null, sent_to: email, expires_at: new Date(Date.now() + MINUTES[kind] * 60_000).toISOString() }
}

/** Otherwise a link for someone who has become a super admin since would be enough to sign in as one. */
const isAllowed = sql<boolean>`(one_time_links.created_by is null or exists (
  select from users creator join users invited on invited.id = one_time_links.user_id
  where creator.id = one_time_links.created_by and creator.deleted_at is null
    and (creator.is_super_admin or (creator.is_admin and creator.workspace_id = invited.workspace_id
      and not invited.is_super_admin and not invited.is_auditor))))`

export function findLink(db: Db, token: string) {
  return db
    .selectFrom('one_time_links')
    .innerJoin('users', 'users.id', 'one_time_links.user_id')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'expires_at', usedFor.as('kind')])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .where('users.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .where(isAllowed)
    .executeTakeFirst()
}

/** Of two uses at once, one finds the link. */
export async function consumeLink(trx: Trx, token: string, user_id: number) {
  const taken = await trx
    .deleteFrom('one_time_links')
    .where('token_hash', '=', hashToken(token))
    .where('user_id', '=', user_id)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(isAllowed)
    .returning([usedFor.as('kind'), 'created_by'])
    .executeTakeFirst()
  if (!taken) throw linkExpired()
  return taken
}

/** The same for links that are wrong, used, replaced, expired or of a deleted user. */
export function linkExpired() {
  return new Problem(404, 'This link is not valid any more. Ask for a new one.')
}
