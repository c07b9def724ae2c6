import { type RawBuilder, sql } from 'kysely'
import { LINK_MAILS, type MailKind } from '../adapters/mail/texts.ts'
import type { SystemDb, Trx } from './open.ts'

/** How long the mails of a server that died wait for another one. */
const LEASE_END = sql`now() + interval '15 seconds'`
/** One address gets at most one link in this time. */
const PAUSE = sql`interval '1 minute'`
const MAX_FORGOTTEN = 1000
const DELAYS_MINUTES = [1, 5, 15, 60]
const GIVE_UP_HOURS = 24

/** What a mail is about. No secrets: a link is created when its mail is sent. */
export type MailData = { user_id: number; created_by?: number; by?: string | null; ip?: string }

export type MailRow = {
  id: number
  kind: MailKind
  email: string
  data: Partial<MailData>
  created_at: Date
  /** Also tells this lease from a later one. */
  tries: number
}

/** Call it in the transaction of the change, so that neither exists without the other. */
export async function queueMail(trx: Trx, { kind, email, data }: { kind: MailKind; email: string; data: MailData }) {
  await trx
    .insertInto('mails')
    .values({ kind, email: email.toLowerCase(), data: JSON.stringify(data) })
    .execute()
}

type Notices = { whose: RawBuilder<unknown>; kind: MailKind; by: string | null }

/** The same for the users of a condition, without a link. */
export async function queueNotices(trx: Trx, { whose, kind, by }: Notices) {
  await sql`insert into mails (kind, email, data)
    select ${kind}, lower(users.email), jsonb_build_object('user_id', users.id, 'by', ${by}::text)
    from users where ${whose} order by users.id`.execute(trx)
}

/**
 * The same statement for known and unknown addresses: whether an account has the address is looked up when the mail is
 * sent. A row that is done stays for a minute, so that nobody gets many mails, and the number of rows is limited.
 */
export async function queueForgottenPassword(db: SystemDb, email: string) {
  await sql`insert into mails (kind, email) select 'forgotten_password', ${email.toLowerCase()}
    where (select count(*) from mails where kind = 'forgotten_password') < ${MAX_FORGOTTEN}
    on conflict (email) where kind = 'forgotten_password'
    do update set created_at = now(), send_at = now(), tries = 0, leased_until = null
    where mails.send_at = 'infinity' and mails.created_at < now() - ${PAUSE}`.execute(db)
}

/**
 * Mails that would bring a link to the users of a condition are not sent any more. Those for forgotten passwords count as
 * done, because an address still gets one a minute at most.
 */
export async function endLinkMails(trx: Trx, whose: RawBuilder<unknown>) {
  await sql`delete from mails where kind in ('invitation', 'new_password')
    and (data ->> 'user_id')::int in (select users.id from users where ${whose})`.execute(trx)
  await sql`update mails set send_at = 'infinity', leased_until = null, tries = 0
    where kind = 'forgotten_password' and send_at <> 'infinity'
      and email in (select lower(users.email) from users where ${whose})`.execute(trx)
}

/**
 * Leases the next mail, first those with a link, which somebody waits for. When a process dies, its lease expires, and any
 * server sends the mail.
 */
export async function claimMail(db: SystemDb): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    with done as (
      delete from mails where kind = 'forgotten_password' and send_at = 'infinity' and created_at < now() - ${PAUSE}
    )
    update mails set leased_until = ${LEASE_END}, tries = tries + 1
    where id = (
      select id from mails where send_at <= now() and (leased_until is null or leased_until < now())
      order by array_position(${LINK_MAILS}::text[], kind), send_at, id limit 1 for update skip locked)
    returning id, kind, email, data, created_at, tries`.execute(db)
  return rows[0]
}

/** While a mail is being sent, which may take longer than a lease. */
export async function renewMail(db: SystemDb, { id, tries }: MailRow) {
  await sql`update mails set leased_until = ${LEASE_END} where id = ${id} and tries = ${tries}`.execute(db)
}

/** Locks a mail whose lease is still held, until the commit. False if it is not to be sent any more. */
export async function holdMail(trx: Trx, { id, tries }: MailRow) {
  const { rows } = await sql`select from mails where id = ${id} and tries = ${tries} for update`.execute(trx)
  return rows.length > 0
}

export async function finishMail(db: SystemDb, { id, kind, tries }: MailRow) {
  const done =
    kind === 'forgotten_password'
      ? sql`update mails set send_at = 'infinity', leased_until = null`
      : sql`delete from mails`
  await sql`${done} where id = ${id} and tries = ${tries}`.execute(db)
}

/** For the next attempt. False if there is none, because the mail is too old. */
export async function postponeMail(db: SystemDb, mail: MailRow) {
  const { id, tries } = mail
  const minutes = DELAYS_MINUTES[Math.min(tries, DELAYS_MINUTES.length) - 1] ?? 1
  const { numAffectedRows } =
    await sql`update mails set send_at = now() + make_interval(mins => ${minutes}), leased_until = null
    where id = ${id} and tries = ${tries} and created_at > now() - make_interval(hours => ${GIVE_UP_HOURS})`.execute(db)
  if (numAffectedRows) return true
  await finishMail(db, mail)
  return false
}

/** A server that stops does not wait for a slow mail server. */
export async function releaseMail(db: SystemDb, { id, tries }: MailRow) {
  await sql`update mails set leased_until = null, tries = tries - 1 where id = ${id} and tries = ${tries}`.execute(db)
}
