import { type Selectable, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import { forbidden, signedOut } from '../problem.ts'
import { isStill, Unconfirmed } from './callers.ts'
import { type Copy, copyingTransaction } from './copy.ts'
import { retryOnDeadlock } from './deadlock.ts'
import { lockIfSuperAdmin } from './entity.ts'
import type { Db, SystemDb, Trx } from './open.ts'
import { type Finish, shortTransaction } from './short-transaction.ts'
import type { Tables } from './tables.ts'

export type Rights = ReturnType<typeof createRights>

type UserRow = Selectable<Tables['users']>

/**
 * The only way for a call to write. The caller's session and rights, which were read when the call began, are read
 * again in the transaction of the change and locked until its commit: a revocation either comes first, and the call is
 * rejected, or waits for the commit. See docs/decisions on revocation.
 */
export function createRights(system: SystemDb, pool: Pool) {
  return { write, writeUser, writeLong, writeCopying, check: (actor: Actor) => checkRights(system, actor) }

  /** For short writes: a revocation waits for them. May be retried, so the work must only change the database. */
  function write<Result>(actor: Actor, work: (trx: Trx, finish: Finish) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() =>
      shortTransaction(pool, async (trx, finish) => {
        await hold(trx, actor)
        return work(trx, finish)
      }),
    )
  }

  /** The same for a change to a user, whose row is locked and passed to the work, even if it is deleted. */
  function writeUser<Result>(
    actor: Actor,
    { id, mayLoseSuperAdmin = false }: { id: number; mayLoseSuperAdmin?: boolean },
    work: (trx: Trx, user: UserRow | undefined, finish: Finish) => Promise<Result>,
  ): Promise<Result> {
    return retryOnDeadlock(() =>
      shortTransaction(pool, async (trx, finish) => {
        if (mayLoseSuperAdmin) await lockIfSuperAdmin(trx, id)
        return work(trx, await holdBoth(trx, actor, id), finish)
      }),
    )
  }

  /**
   * For writes that take minutes: a revocation does not wait for them, so the rights are checked at the start and at
   * the end.
   */
  function writeLong<Result>(actor: Actor, milliseconds: number, work: (trx: Trx) => Promise<Result>): Promise<Result> {
    return system.transaction().execute((trx) => atLength(trx, actor, milliseconds, () => work(trx)))
  }

  /** The same with COPY. */
  function writeCopying<Result>(
    actor: Actor,
    milliseconds: number,
    work: (trx: Trx, copy: Copy) => Promise<Result>,
  ): Promise<Result> {
    return copyingTransaction(pool, (trx, copy) => atLength(trx, actor, milliseconds, () => work(trx, copy)))
  }
}

/** Rejects a caller who has lost the session or the rights since the call began. Call it before irreversible work. */
export async function checkRights(db: Db, actor: Actor) {
  const rows = await db
    .selectFrom('users')
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select('users.id')
    .where(isStill(actor))
    .execute()
  if (rows.length === 0) throw await refusal(db, actor)
  actor.isConfirmed = true
}

async function atLength<Result>(trx: Trx, actor: Actor, milliseconds: number, work: () => Promise<Result>) {
  const time = String(milliseconds)
  const { rows } = await sql`select set_config('statement_timeout', ${time}, true),
    set_config('idle_in_transaction_session_timeout', ${time}, true)
    from users join sessions on sessions.user_id = users.id where ${isStill(actor)}`.execute(trx)
  if (rows.length === 0) throw await refusal(trx, actor)
  actor.isConfirmed = true
  const result = await work()
  await hold(trx, actor)
  return result
}

async function hold(trx: Trx, actor: Actor) {
  const { rows } = await sql`select from users join sessions on sessions.user_id = users.id
    where ${isStill(actor)} for share of users for key share of sessions`.execute(trx)
  if (rows.length === 0) throw await refusal(trx, actor)
  actor.isConfirmed = true
}

/**
 * Two users who edit each other lock the same row first, so that they do not deadlock. The session is locked last, in
 * the same order as a revocation. The count before each lock only enforces the order.
 */
async function holdBoth(trx: Trx, actor: Actor, id: number): Promise<UserRow | undefined> {
  const [low, high] = actor.id < id ? [actor.id, id] : [id, actor.id]
  const strength = (user: number) => (user === id ? sql`for no key update of users` : sql`for share of users`)
  const { rows } = await sql<UserRow & { is_still: boolean }>`
    with low as materialized (
      select users.*, users.xmin from users where users.id = ${low} ${strength(low)}
    ), high as materialized (
      select users.*, users.xmin from (select count(*) from low) as before, users
      where users.id = ${high} and users.id <> ${low} ${strength(high)}
    ), session as materialized (
      select sessions.*, sessions.xmin from (select count(*) from high) as before, sessions
      where sessions.token_hash = ${actor.token_hash} for key share of sessions
    ), held as (
      select * from low union all select * from high
    )
    select held.*, exists (
      select from held as users join session as sessions on sessions.user_id = users.id where ${isStill(actor)}
    ) as is_still from held`.execute(trx)
  if (!rows[0]?.is_still) throw await refusal(trx, actor)
  actor.isConfirmed = true
  return rows.find((row) => row.id === id)
}

/** Finds the reason, only when the call is rejected. */
async function refusal(db: Db, { token_hash, session_ends_at, isConfirmed }: Actor) {
  if (!isConfirmed) return new Unconfirmed()
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.id')
    .where('token_hash', '=', token_hash)
    .where('users.deleted_at', 'is', null)
    .where(sql<boolean>`(users.is_admin or users.is_super_admin) and clock_timestamp() < ${session_ends_at}`)
    .executeTakeFirst()
  return session ? forbidden('Your access has changed, so nothing was saved. Reload the page.') : signedOut()
}
