import { hash } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { type RawBuilder, sql } from 'kysely'
import { isoTime } from '../../../db/iso-time.ts'
import type { SystemDb, Trx } from '../../../db/open.ts'
import { tooManySignIns } from '../../../semaphore.ts'

/** Wrong passwords of an email from one network, or wrong second-factor codes of an account, before it is locked. */
const MAX_WRONG_ATTEMPTS = 10
/** For all networks together: it takes twenty networks to lock out the owner of an account. */
const MAX_WRONG_ATTEMPTS_EVERYWHERE = 200
const LOCKED_FOR = sql`interval '10 minutes'`
const FAILURES_AFTER = { right: sql`0`, wrong: sql`failures + 1`, unchecked: sql`failures` }
/** An attempt still pending after this time belongs to a process that died. */
const PENDING_AT_MOST = sql`interval '30 seconds'`
const LOCKS = 7_238_004
const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i

/** Codes are counted per account, whatever the network: this takes the place of the network. */
const SECOND_FACTOR = 'second factor'

/** `user_id` is null if no account has the email. */
type Attempt = { ip: string; user_id: number | null }
type Counter = Attempt & { email_hash: Buffer; network: string; changes: AuditEvent['changes'] }

/** Undefined is wrong. */
type Check<Result> = () => Promise<Result | undefined>

export type Lockout = ReturnType<typeof createLockout>

/** An attempt is recorded as pending first, so that parallel attempts cannot check more than these. */
export function createLockout(db: SystemDb) {
  return { attempt, attemptSecond }

  function attempt({ email, ...about }: Attempt & { email: string }, isRight: () => Promise<boolean>) {
    const counter = { ...about, email_hash: hashEmail(email), network: networkOf(about.ip), changes: {} }
    return count(counter, async () => ((await isRight()) ? 'right' : undefined))
  }

  /** A right password does not reset this counter. */
  function attemptSecond<Result>(about: { user_id: number; ip: string }, check: Check<Result>) {
    const changes = { step: { before: null, after: 'code' } }
    return count({ ...about, email_hash: hashSecondFactor(about.user_id), network: SECOND_FACTOR, changes }, check)
  }

  async function count<Result>(counter: Counter, check: Check<Result>): Promise<Result | 'wrong' | 'locked'> {
    if (!(await enter(counter))) return 'locked'
    let outcome: keyof typeof FAILURES_AFTER = 'unchecked'
    try {
      const result = await check()
      outcome = result === undefined ? 'wrong' : 'right'
      return result ?? 'wrong'
    } finally {
      await settle(counter, outcome)
    }
  }

  async function enter(counter: Counter): Promise<boolean> {
    const deadline = Date.now() + 10_000
    while (Date.now() < deadline) {
      const state = await tryToEnter(counter)
      if (state !== 'full') return state === 'entered'
      // Other attempts are being checked right now, and whether this one is allowed depends on their outcome.
      await wait(25)
    }
    throw tooManySignIns()
  }

  function tryToEnter({ email_hash, network }: Counter) {
    return db.transaction().execute(async (trx) => {
      // Serialized per email, because the counters of all its networks are added up.
      await sql`select pg_advisory_xact_lock(${LOCKS}::int, ${email_hash.readInt32BE()}::int)`.execute(trx)
      const { rows } = await sql<{ state: 'entered' | 'locked' | 'full' }>`
        with counts as (
          select coalesce(sum(failures), 0) as everywhere, coalesce(sum(pending), 0) as pending_everywhere,
            coalesce(sum(failures) filter (where network = ${network}), 0) as here,
            coalesce(sum(pending) filter (where network = ${network}), 0) as pending_here
          from (select network, ${FAILURES} as failures, ${PENDING} as pending
            from failed_sign_ins known where email_hash = ${email_hash}) live
        ), entered as (
          insert into failed_sign_ins as known (email_hash, network, failures, pending, changed_at)
          select ${email_hash}, ${network}, 0, 1, now() from counts
          where here + pending_here < ${MAX_WRONG_ATTEMPTS} and everywhere + pending_everywhere < ${MAX_WRONG_ATTEMPTS_EVERYWHERE}
          on conflict (email_hash, network) do update set
            failures = ${FAILURES}, pending = ${PENDING} + 1, changed_at = now()
          returning network
        )
        select case when exists (select from entered) then 'entered'
          when here >= ${MAX_WRONG_ATTEMPTS} or everywhere >= ${MAX_WRONG_ATTEMPTS_EVERYWHERE} then 'locked'
          else 'full' end as state
        from counts`.execute(trx)
      return rows[0]?.state
    })
  }

  /** Writes the audit event of a failure in the same statement, so that known and unknown emails take the same steps. */
  async function settle({ email_hash, network, user_id, ip, changes }: Counter, outcome: keyof typeof FAILURES_AFTER) {
    const isWrong = outcome === 'wrong'
    await sql`
      with event as (
        insert into audit_events (action, entity, entity_id, changes, ip, record_name, record_detail, workspace_id)
        select 'login_failed', 'session', ${user_id}::int, ${JSON.stringify(changes)}::jsonb, ${ip}, users.full_name, users.email, users.workspace_id
        from (values (coalesce(${user_id}::int, 0))) as given (id) left join users on users.id = given.id
        where ${isWrong} and (${user_id}::int is not null or not ${UNKNOWN_WAS_RECORDED})
      )
      update failed_sign_ins set failures = ${FAILURES_AFTER[outcome]}, pending = greatest(pending - 1, 0),
        changed_at = now(), user_id = ${user_id}::int
      where email_hash = ${email_hash} and network = ${network}`.execute(db)
  }
}

/** The largest block commonly given to one site: by single address, an attacker would have any number of counters. */
export function networkOf(ip: string): string {
  const address = ip.replace(IPV4_IN_IPV6, '')
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`
  if (!isIPv6(address)) return ip.slice(0, 100)
  // In the canonical form, without leading zeros. What follows two colons are zeros, or beyond the network.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [start = ''] = hostname.slice(1, -1).split('::')
  return `${[...start.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3).join(':')}::/48`
}

type Columns = { id: RawBuilder<unknown>; email: RawBuilder<unknown> }

function recentFailures({ id, email }: Columns) {
  // Emails are ASCII, so `lower` is the same here.
  return sql`select failures, changed_at, sum(failures) over (partition by email_hash) as everywhere
    from failed_sign_ins
    where email_hash in (sha256(lower(${email})::bytea), ${secondFactorHash(id)}) and changed_at >= now() - ${LOCKED_FOR}`
}

export function lockedUntil(user: Columns) {
  return sql<string | null>`(
    select ${isoTime(sql`(max(changed_at) + ${LOCKED_FOR})`)} from (${recentFailures(user)}) live
    where failures >= ${MAX_WRONG_ATTEMPTS} or everywhere >= ${MAX_WRONG_ATTEMPTS_EVERYWHERE})`
}

export function failureCount(user: Columns) {
  return sql<number>`(select coalesce(sum(failures), 0)::int from (${recentFailures(user)}) live)`
}

/** Emails are hashed only for users with failures. */
export function isLocked() {
  return sql`users.id in (
      select user_id from failed_sign_ins where changed_at >= now() - ${LOCKED_FOR} and user_id is not null
      group by user_id having sum(failures) >= ${MAX_WRONG_ATTEMPTS})
    and ${lockedUntil({ id: sql`users.id`, email: sql`users.email` })} is not null`
}

export function secondFactorHash(id: RawBuilder<unknown>) {
  return sql`sha256((${`${SECOND_FACTOR} `}::text || ${id})::bytea)`
}

export async function unlock(trx: Trx, email: string) {
  await trx.deleteFrom('failed_sign_ins').where('email_hash', '=', hashEmail(email)).execute()
}

export async function unlockSecondFactor(trx: Trx, user_id: number) {
  await trx.deleteFrom('failed_sign_ins').where('email_hash', '=', hashSecondFactor(user_id)).execute()
}

function hashEmail(email: string) {
  return hash('sha256', email.toLowerCase(), 'buffer')
}

function hashSecondFactor(user_id: number) {
  return hash('sha256', `${SECOND_FACTOR} ${user_id}`, 'buffer')
}

const FAILURES = sql`case when known.changed_at < now() - ${LOCKED_FOR} then 0 else known.failures end`
const PENDING = sql`case when known.changed_at < now() - ${PENDING_AT_MOST} then 0 else known.pending end`

/** Anybody can invent emails, so unknown emails create one event every ten minutes, without the email. */
const UNKNOWN_WAS_RECORDED = sql`exists (
  select from (
    select at from audit_events where entity = 'session' and entity_id is null order by at desc, id desc limit 1
  ) latest where at > now() - ${LOCKED_FOR})`
