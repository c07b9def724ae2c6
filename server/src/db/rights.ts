import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import { forbidden, signedOut } from '../problem.ts'
import { type Copy, copyingTransaction } from './copy.ts'
import { retryOnDeadlock } from './deadlock.ts'
import { lockIfSuperAdmin } from './entity.ts'
import type { Db, SystemDb, Trx } from './open.ts'
import type { Tables } from './tables.ts'

export type Rights = ReturnType<typeof createRights>

type UserRow = Selectable<Tables['users']>

/**
 * The only way in which a call changes anything. The caller's session and rights, which were read when the call began, are
 * read again in the transaction of the change and held until its commit: whoever takes them away comes before it, and it
 * is refused, or after it. See docs/decisions on revocation.
 */
export function createRights(system: SystemDb, pool: Pool) {
  return { write, writeUser, writeLong, writeCopying, check: (actor: Actor) => checkRights(system, actor) }

  /** What is soon done: whoever takes the rights away waits for it. It may be begun anew, so it does nothing elsewhere. */
  function write<Result>(actor: Actor, work: (trx: Trx) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() =>
      system.transaction().execute(async (trx) => {
        await hold(trx, actor)
        return work(trx)
      }),
    )
  }

  /** The same about a user, whose row is locked and handed over whether or not it is deleted. */
  function writeUser<Result>(
    actor: Actor,
    { id, mayLoseSuperAdmin = false }: { id: number; mayLoseSuperAdmin?: boolean },
    work: (trx: Trx, user: UserRow | undefined) => Promise<Result>,
  ): Promise<Result> {
    return retryOnDeadlock(() =>
      system.transaction().execute(async (trx) => {
        if (mayLoseSuperAdmin) await lockIfSuperAdmin(trx, id)
        return work(trx, await holdBoth(trx, actor, id))
      }),
    )
  }

  /** What takes up to minutes: nobody waits for it with taking the rights away, so it looks at its begin and at its end. */
  function writeLong<Result>(actor: Actor, milliseconds: number, work: (trx: Trx) => Promise<Result>): Promise<Result> {
    return system.transaction().execute((trx) => atLength(trx, actor, milliseconds, () => work(trx)))
  }

  /** The same with a way to copy many rows into a table. */
  function writeCopying<Result>(
    actor: Actor,
    milliseconds: number,
    work: (trx: Trx, copy: Copy) => Promise<Result>,
  ): Promise<Result> {
    return copyingTransaction(pool, (trx, copy) => atLength(trx, actor, milliseconds, () => work(trx, copy)))
  }
}

/** Refuses whoever has lost the session or the rights with which the call began. Before what no rollback takes back. */
export async function checkRights(db: Db, actor: Actor) {
  const rows = await db
    .selectFrom('users')
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select('users.id')
    .where(isStill(actor))
    .execute()
  if (rows.length === 0) throw await refusal(db, actor)
}

async function atLength<Result>(trx: Trx, actor: Actor, milliseconds: number, work: () => Promise<Result>) {
  const time = String(milliseconds)
  const { rows } = await sql`select set_config('statement_timeout', ${time}, true),
    set_config('idle_in_transaction_session_timeout', ${time}, true)
    from users join sessions on sessions.user_id = users.id where ${isStill(actor)}`.execute(trx)
  if (rows.length === 0) throw await refusal(trx, actor)
  const result = await work()
  await hold(trx, actor)
  return result
}

async function hold(trx: Trx, actor: Actor) {
  const { rows } = await sql`select from users join sessions on sessions.user_id = users.id
    where ${isStill(actor)} for share of users for key share of sessions`.execute(trx)
  if (rows.length === 0) throw await refusal(trx, actor)
}

/**
 * Of two who edit each other, both lock the same row first: neither waits for the other in vain. The session comes last,
 * as for whoever revokes it. What is counted in front of each lock only says that it comes after the one before.
 */
async function holdBoth(trx: Trx, actor: Actor, id: number): Promise<UserRow | undefined> {
  const [low, high] = actor.id < id ? [actor.id, id] : [id, actor.id]
  const strength = (user: number) => (user === id ? sql`for no key update of users` : sql`for share of users`)
  const { rows } = await sql<UserRow & { is_still: boolean }>`
    with low as materialized (
      select users.* from users where users.id = ${low} ${strength(low)}
    ), high as materialized (
      select users.* from (select count(*) from low) as before, users
      where users.id = ${high} and users.id <> ${low} ${strength(high)}
    ), session as materialized (
      select sessions.* from (select count(*) from high) as before, sessions
      where sessions.token_hash = ${actor.token_hash} for key share of sessions
    ), held as (
      select * from low union all select * from high
    )
    select held.*, exists (
      select from held as users join session as sessions on sessions.user_id = users.id where ${isStill(actor)}
    ) as is_still from held`.execute(trx)
  if (!rows[0]?.is_still) throw await refusal(trx, actor)
  return rows.find((row) => row.id === id)
}

/** Of a user and a session: both as they were when the call began. */
function isStill(actor: Actor): RawBuilder<boolean> {
  return sql<boolean>`users.id = ${actor.id} and users.deleted_at is null and users.workspace_id = ${actor.workspace_id}
    and users.is_super_admin = ${actor.is_super_admin} and (users.is_admin or users.is_super_admin)
    and sessions.token_hash = ${actor.token_hash} and clock_timestamp() < ${actor.session_ends_at}`
}

/** The reason, looked for only when there is one. */
async function refusal(db: Db, { token_hash, session_ends_at }: Actor) {
  const session = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.id')
    .where('token_hash', '=', token_hash)
    .where('users.deleted_at', 'is', null)
    .where(sql<boolean>`(users.is_admin or users.is_super_admin) and clock_timestamp() < ${session_ends_at}`)
    .executeTakeFirst()
  return session ? forbidden('Your access has changed. Nothing was saved.') : signedOut()
}
