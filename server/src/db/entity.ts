import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { conflict, Problem } from '../problem.ts'
import type { Trx } from './open.ts'

export function editedBy(actor: { id: number | null }) {
  return { version: sql<number>`version + 1`, updated_at: sql<Date>`now()`, updated_by: actor.id }
}

type Versioned = { version: number; updated_at: Date; updated_by: number | null }

export async function checkVersion(trx: Trx, kind: string, current: Versioned, ifMatch: string | undefined) {
  if (ifMatch === undefined || matchesVersion(current.version, ifMatch)) return
  const author = await trx
    .selectFrom('users')
    .select('full_name')
    .where('id', '=', current.updated_by ?? 0)
    .executeTakeFirst()
  const name = author?.full_name ?? 'the system'
  throw new Problem(412, `This ${kind} was changed by ${name} at ${current.updated_at.toISOString()}.`)
}

export function matchesVersion(version: number, ifMatch: string) {
  if (ifMatch.trim() === '*') return true
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return tags.includes(`"${version}"`)
}

const SUPER_ADMINS_LOCK = 7_238_003

/** Keeps their count until the commit. Call it before locking any row: two who demote each other would deadlock. */
export async function lockSuperAdmins(trx: Trx) {
  await sql`select pg_advisory_xact_lock(${SUPER_ADMINS_LOCK}::bigint)`.execute(trx)
}

/** The same only if one of these users is a super admin: all other edits run concurrently. */
export async function lockIfSuperAdmins(trx: Trx, which: RawBuilder<unknown>) {
  await sql`select pg_advisory_xact_lock(${SUPER_ADMINS_LOCK}::bigint)
    where exists (select from users where deleted_at is null and is_super_admin and ${which})`.execute(trx)
}

/** Locks a user, like every change to one does. Undefined if the user is deleted. */
export function lockUser(trx: Trx, id: number) {
  return trx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function isUniqueViolation(error: unknown, index: string) {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === index
}

/** For `catch`: what this unique index refuses is a conflict. */
export function conflictIfTaken(index: string, text: string) {
  return (error: unknown): never => {
    throw isUniqueViolation(error, index) ? conflict(text) : error
  }
}
