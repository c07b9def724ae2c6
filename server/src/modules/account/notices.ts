import type { Notice } from '@watchdesk/contract/session'
import { sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import { queueMail } from '../../db/mail-queue.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'

const MAX_SHOWN = 20

type NewNotice = {
  user_id: number
  kind: Notice['kind']
  /** Who changed it. The name is null if it was the operator. */
  actor: { name: string | null }
}

/**
 * Notifies a user of what somebody else changed about how they sign in: in the console, and by mail if there is a mail server.
 * Call it in the transaction of the change and before the change, so that a former email gets the mail.
 */
export async function notify(trx: Trx, env: Pick<Env, 'SMTP_URL'>, { user_id, kind, actor }: NewNotice) {
  await trx.insertInto('account_notices').values({ user_id, kind, actor_name: actor.name }).execute()
  if (env.SMTP_URL === undefined) return
  const { email } = await trx.selectFrom('users').select('email').where('id', '=', user_id).executeTakeFirstOrThrow()
  await queueMail(trx, { kind, email, data: { user_id, by: actor.name } })
}

/** The notices that a user of the query has not dismissed, newest first. */
export const noticesOf = sql<Notice[]>`(
  select coalesce(
    json_agg(json_build_object('id', id, 'kind', kind, 'by', actor_name, 'at', ${isoTime(sql`at`)}) order by id desc), '[]')
  from (select * from account_notices where account_notices.user_id = users.id order by id desc limit ${sql.lit(MAX_SHOWN)})
    as notices)`
