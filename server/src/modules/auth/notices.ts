import type { Notice } from '@watchdesk/contract/auth/session'
import { type RawBuilder, sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import { type OwnChange, queueMail } from '../../db/mail-queue.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'

const MAX_SHOWN = 20

type Settings = Pick<Env, 'SMTP_URL'>
type Recipient = { id: number; email: string; ip: string }
type NewNotice = {
  /** A condition for rows of users. */
  whose: RawBuilder<unknown>
  kind: Notice['kind']
  /** Who changed it. The name is null if it was the operator. */
  actor: { name: string | null }
}

/** Call it in the transaction of the change, before the change, so that a former email gets the mail. */
export async function notify(trx: Trx, env: Settings, { whose, kind, actor }: NewNotice) {
  await sql`insert into account_notices (user_id, kind, actor_name)
    select users.id, ${kind}, ${actor.name} from users where ${whose} order by users.id`.execute(trx)
  if (env.SMTP_URL === undefined) return
  await sql`insert into mails (kind, email, data)
    select ${kind}, lower(users.email), jsonb_build_object('user_id', users.id, 'by', ${actor.name}::text)
    from users where ${whose} and ${hasOwnEmail} order by users.id`.execute(trx)
}

/** `email` is that before the change. */
export async function mailOwner(trx: Trx, env: Settings, kind: OwnChange, { id, email, ip }: Recipient) {
  if (env.SMTP_URL !== undefined) await queueMail(trx, { kind, email, data: { user_id: id, ip } })
}

/** Somebody else may have the email of a user who was deleted by now. */
const hasOwnEmail = sql`not exists (select from users as holders where lower(holders.email) = lower(users.email)
  and holders.id <> users.id and holders.deleted_at is null)`

export const noticesOf = sql<Notice[]>`(
  select coalesce(
    json_agg(json_build_object('id', id, 'kind', kind, 'by', actor_name, 'at', ${isoTime(sql`at`)}) order by id desc), '[]')
  from (select * from account_notices where account_notices.user_id = users.id order by id desc limit ${sql.lit(MAX_SHOWN)})
    as notices)`
