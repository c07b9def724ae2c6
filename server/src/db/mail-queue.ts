import type { Notice } from '@watchdesk/contract/auth/session'
import { type RawBuilder, sql } from 'kysely'
import { type Held, isHeld, NO_LEASE, type Queue } from './leases.ts'
import type { SystemDb, Trx } from './open.ts'

/** Mails with a link that lets the user choose a password, in the order in which they are sent. */
export const LINK_MAILS = ['forgotten_password', 'new_password', 'invitation'] as const
/** Mails about what users changed themselves, which tell them if it was somebody else with their session or password. */
export type OwnChange =
  | 'own_password'
  | 'own_email'
  | 'own_authenticator'
  | 'own_authenticator_removed'
  | 'own_passkey'
  | 'own_passkey_removed'
  | 'own_recovery_codes'
  | 'own_token'
export type MailKind = (typeof LINK_MAILS)[number] | Notice['kind'] | OwnChange

/** One address gets at most one link in this time. */
const PAUSE = sql`interval '1 minute'`
const DONE = sql`send_at = 'infinity', ${NO_LEASE}`
const MAX_FORGOTTEN = 1000
const DELAYS_MINUTES = [1, 5, 15, 60]
const GIVE_UP_HOURS = 24

/** What a mail is about. No secrets: a link is created when its mail is sent. */
export type MailData = { user_id: number; created_by?: number; by?: string | null; ip?: string }

export type MailRow = Held & {
  kind: MailKind
  email: string
  data: Partial<MailData>
  created_at: Date
  tries: number
}

/** Mails with a link are first, because somebody waits for them. */
export const MAILS: Queue = {
  table: 'mails',
  isOpen: sql`send_at <= now()`,
  order: sql`array_position(${LINK_MAILS}::text[], kind), send_at, id`,
  claimed: sql`, tries = tries + 1`,
  retried: sql``,
  // An interrupted attempt counts for the pause before the next one, and a link that was made is made anew.
  postponed: sql``,
  ended: () => DONE,
  followed: sql`, removed as (
    delete from mails where kind = 'forgotten_password' and send_at = 'infinity' and created_at < now() - ${PAUSE}
  )`,
}

/** Call it in the transaction of the change, so that neither exists without the other. */
export async function queueMail(trx: Trx, { kind, email, data }: { kind: MailKind; email: string; data: MailData }) {
  await trx
    .insertInto('mails')
    .values({ kind, email: email.toLowerCase(), data: JSON.stringify(data) })
    .execute()
}

/**
 * The same statement for known and unknown addresses: whether an account has the address is looked up when the mail is
 * sent. A row that is done stays for a minute, so that nobody gets many mails, and the number of rows is limited.
 */
export async function queueForgottenPassword(db: SystemDb, email: string) {
  await sql`insert into mails (kind, email) select 'forgotten_password', ${email.toLowerCase()}
    where (select count(*) from mails where kind = 'forgotten_password') < ${MAX_FORGOTTEN}
    on conflict (email) where kind = 'forgotten_password'
    do update set created_at = now(), send_at = now(), tries = 0
    where mails.send_at = 'infinity' and mails.created_at < now() - ${PAUSE}`.execute(db)
}

/**
 * Call it whenever the password or email of users changes, or their access ends. Mails that would bring a link are not sent;
 * those for forgotten passwords count as done, because an address still gets one a minute at most.
 */
export async function endLinks(trx: Trx, whose: RawBuilder<unknown>) {
  // The mails first, because one that is being sent has locked its row until its link is there.
  await sql`delete from mails where kind in ('invitation', 'new_password')
    and (data ->> 'user_id')::int in (select users.id from users where ${whose})`.execute(trx)
  await sql`update mails set ${DONE}
    where kind = 'forgotten_password' and send_at <> 'infinity'
      and email in (select lower(users.email) from users where ${whose})`.execute(trx)
  await sql`delete from one_time_links where user_id in (select users.id from users where ${whose})`.execute(trx)
}

/** Locks a mail whose lease is still held, until the commit. False if it is not to be sent any more. */
export async function lockMail(trx: Trx, mail: Held) {
  const { rows } = await sql`select from mails where ${isHeld(mail)} for update`.execute(trx)
  return rows.length > 0
}

export async function finishMail(db: SystemDb, { kind, ...mail }: MailRow) {
  const done = kind === 'forgotten_password' ? sql`update mails set ${DONE}` : sql`delete from mails`
  await sql`${done} where ${isHeld(mail)}`.execute(db)
}

/** For the next attempt. False if there is none, because the mail is too old. */
export async function postponeMail(db: SystemDb, mail: MailRow) {
  const minutes = DELAYS_MINUTES[Math.min(mail.tries, DELAYS_MINUTES.length) - 1] ?? 1
  const { numAffectedRows } =
    await sql`update mails set send_at = now() + make_interval(mins => ${minutes}), ${NO_LEASE}
    where ${isHeld(mail)} and created_at > now() - make_interval(hours => ${GIVE_UP_HOURS})`.execute(db)
  if (numAffectedRows) return true
  await finishMail(db, mail)
  return false
}
