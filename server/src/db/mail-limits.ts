import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { Problem } from '../problem.ts'
import type { MailKind } from './mail-queue.ts'
import type { SystemDb, Trx } from './open.ts'

type Limit = { count: number; seconds: number }

const HOUR = 3600
const LINKS: Limit = { count: 5, seconds: HOUR }
/** Five of the largest imports of users. */
const SENDER: Limit = { count: 5000, seconds: 24 * HOUR }
const NOTICES: Limit = { count: 10, seconds: HOUR }
const NOTICES_OF_KIND: Limit = { count: 1, seconds: HOUR }

export async function limitLinks(trx: Trx, { email, sender }: { email: string; sender: number }) {
  refuse(await consume(trx, `sender ${sender}`, SENDER), 'You sent too many links within a day.')
  refuse(await consume(trx, `links ${mailboxOf(email)}`, LINKS), `${email} was sent too many links within an hour.`)
}

/** Apart from the links of admins, because anybody can ask for these. */
export async function mayRemind(trx: Trx, email: string) {
  return (await consume(trx, `forgotten ${mailboxOf(email)}`, LINKS)) === 0
}

/** Notices are about security: however many there are, one of each kind is sent in an hour. */
export async function mayNotify(db: SystemDb, { kind, email }: { kind: MailKind; email: string }) {
  const mailbox = mailboxOf(email)
  if ((await consume(db, `notices ${mailbox}`, NOTICES)) === 0) return true
  return (await consume(db, `${kind} ${mailbox}`, NOTICES_OF_KIND)) === 0
}

/** Most mail servers deliver me+anything@example.com to me@example.com. */
function mailboxOf(email: string) {
  return email.toLowerCase().replace(/\+.*(?=@)/, '')
}

/**
 * Returns 0, or the seconds until there is one again. All can be taken at once; they come back one by one, evenly over the
 * time. The row stays locked until the commit, so that concurrent calls are counted one by one.
 */
async function consume(db: SystemDb | Trx, name: string, { count, seconds }: Limit): Promise<number> {
  const key = hash('sha256', name, 'buffer')
  const part = sql`make_interval(secs => ${seconds / count})`
  const free = sql`mail_limits.used_until + ${part} - make_interval(secs => ${seconds})`
  const taken = await sql`insert into mail_limits (key, used_until) values (${key}, now() + ${part})
    on conflict (key) do update set used_until = greatest(mail_limits.used_until, now()) + ${part}
    where ${free} <= now() returning key`.execute(db)
  if (taken.rows.length > 0) return 0
  const { rows } = await sql<{ wait: number }>`select ceil(extract(epoch from ${free} - now()))::int as wait
    from mail_limits where key = ${key}`.execute(db)
  return Math.max(rows[0]?.wait ?? 1, 1)
}

function refuse(seconds: number, detail: string) {
  if (seconds === 0) return
  const minutes = Math.ceil(seconds / 60)
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
  throw new Problem(429, `${detail} Try again in ${when}.`, { 'retry-after': String(seconds) })
}
