import { sql } from 'kysely'
import type { Mail } from '../../../adapters/mail/mail.ts'
import { type MailContent, textOf } from '../../../adapters/mail/texts.ts'
import { isInUse, userHasAccess } from '../../../db/access.ts'
import { SYSTEM } from '../../../db/audit.ts'
import { mayNotify, mayRemind } from '../../../db/mail-limits.ts'
import { LINK_MAILS, lockMail, type MailRow } from '../../../db/mail-queue.ts'
import type { SystemDb, Trx } from '../../../db/open.ts'
import type { Env } from '../../../env.ts'
import { consoleAddress } from '../../../plugins/console-address.ts'
import { auditAccount } from '../audit-account.ts'
import { addressOf, createLink, linkKindFor } from './store.ts'

type Settings = Pick<Env, 'PUBLIC_URL' | 'PASSWORD_LOGIN'>

/** The mail with its link, which replaces that of an earlier attempt. Undefined if nobody is to get it any more. */
export async function writeMail(db: SystemDb, env: Settings, row: MailRow): Promise<Mail | undefined> {
  const hasLink = LINK_MAILS.some((kind) => kind === row.kind)
  const recipient = await (hasLink ? withLink(db, env, row) : ofNotice(db, row))
  if (!recipient) return undefined
  const { by = null, ip } = row.data
  const content = { ...recipient, by, ip, at: row.created_at, address: consoleAddress(env) }
  const id = hasLink ? undefined : `${row.created_at.getTime()}.${row.id}`
  return { id, to: row.email, ...textOf(row.kind, content) }
}

type Recipient = Pick<MailContent, 'first_name' | 'email' | 'link'>

async function withLink(db: SystemDb, env: Settings, row: MailRow): Promise<Recipient | undefined> {
  if (env.PASSWORD_LOGIN === 'off') return undefined
  return db.transaction().execute(async (trx) => {
    // The user first, like every change to a user that ends its mails.
    const user = await recipientOf(trx, row)
    if (!user || !(await lockMail(trx, row))) return undefined
    const isFirstReminder = row.kind === 'forgotten_password' && row.tries === 1
    if (isFirstReminder && !(await mayRemind(trx, row.email))) return undefined
    const kind = row.kind === 'forgotten_password' ? 'forgotten' : await linkKindFor(trx, user)
    const { token } = await createLink(trx, { user_id: user.id, kind, created_by: row.data.created_by ?? null })
    // The link of an invitation was recorded when an admin created it.
    if (isFirstReminder) {
      const changes = { kind: { before: null, after: 'password' } }
      await auditAccount(trx, SYSTEM, user, { action: 'create', entity: 'link', changes })
    }
    return { ...user, link: { address: addressOf(consoleAddress(env), kind, token), kind } }
  })
}

function recipientOf(trx: Trx, row: MailRow) {
  const { kind, email, data } = row
  const user = trx
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select(['users.id', 'first_name', 'full_name', 'email', 'workspace_id', 'has_password'])
    .where(sql`lower(email)`, '=', email)
    .where('users.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
  if (kind !== 'forgotten_password') return user.where('users.id', '=', data.user_id ?? 0).executeTakeFirst()
  const forgotten = user.where(userHasAccess).where(isInUse).where(mayChoose)
  // Locked, so that another email or password, which ends all links, is either seen here or ends this link.
  return (row.tries > 1 ? forgotten : forgotten.where(hasNoNewLink)).forShare('users').executeTakeFirst()
}

const mayChoose = sql<boolean>`(users.has_password
  or not exists (select from sso_accounts where sso_accounts.user_id = users.id))`

/** Otherwise anybody could end the link that a user is about to use, and send many mails. */
const hasNoNewLink = sql<boolean>`not exists (select from one_time_links
  where one_time_links.user_id = users.id and kind = 'forgotten' and created_at > now() - interval '15 minutes')`

/** The address of the mail may be a former one of the user. */
async function ofNotice(db: SystemDb, row: MailRow): Promise<Recipient | undefined> {
  const user = await db
    .selectFrom('users')
    .select('first_name')
    .where('id', '=', row.data.user_id ?? 0)
    .executeTakeFirst()
  if (!user || (row.tries === 1 && !(await mayNotify(db, row)))) return undefined
  return { ...user, email: row.email }
}
