import type { Invitation } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { limitLinks } from '../../../db/mail-limits.ts'
import { endLinks, queueMail } from '../../../db/mail-queue.ts'
import type { Trx } from '../../../db/open.ts'
import type { Env } from '../../../env.ts'
import { type Account, auditAccount } from '../audit-account.ts'
import { addressOf, createLink, linkKindFor, MINUTES } from './store.ts'

type Invited = Omit<Account, 'full_name'> & { first_name: string; last_name: string; has_password: boolean }

/**
 * Lets a user choose a password: sends a link by mail, or returns it. Call it in the transaction in which the rights of
 * the caller are checked, after `requirePasswordLogin`, and wake the sender of mails after the commit.
 */
export async function invite(
  trx: Trx,
  env: Pick<Env, 'SMTP_URL'>,
  actor: Actor,
  user: Invited,
  consoleAddress: string,
): Promise<Invitation> {
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
  await queueMail(trx, {
    kind: kind === 'invitation' ? 'invitation' : 'new_password',
    email,
    data: { user_id, created_by: actor.id, by: actor.name },
  })
  return { link: null, sent_to: email, expires_at: new Date(Date.now() + MINUTES[kind] * 60_000).toISOString() }
}
