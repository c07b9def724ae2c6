import { sql, type Transaction } from 'kysely'
import type { Actor } from '../actor.ts'
import { Problem } from '../problem.ts'
import type { Tables } from './tables.ts'

/** What every edit of an entity sets beside its own fields. */
export function editedBy(actor: Actor) {
  return { version: sql<number>`version + 1`, updated_at: sql<Date>`now()`, updated_by: actor.id }
}

/** What a soft delete sets. After 30 days a job removes the row for good. */
export function deletedBy(actor: Actor) {
  return { ...editedBy(actor), deleted_at: sql<Date>`now()` }
}

type Versioned = { version: number; updated_at: Date; updated_by: number | null }

/** Refuses a write that was based on an older version than the one that stands, and says whose it is. */
export async function checkVersion(
  trx: Transaction<Tables>,
  kind: string,
  current: Versioned,
  ifMatch: string | undefined,
) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes(`"${current.version}"`)) return
  const author = await trx
    .selectFrom('users')
    .select('full_name')
    .where('id', '=', current.updated_by ?? 0)
    .executeTakeFirst()
  const name = author?.full_name ?? 'the system'
  throw new Problem(412, `This ${kind} was changed by ${name} at ${current.updated_at.toISOString()}.`)
}

const SUPER_ADMINS_LOCK = 7_238_003

/**
 * Whoever may take a super admin away waits here for the others, so that the count taken afterwards stays true until the
 * commit. To be called before any row is locked, or two who demote each other would wait for one another.
 */
export async function lockSuperAdmins(trx: Transaction<Tables>) {
  await sql`select pg_advisory_xact_lock(${SUPER_ADMINS_LOCK}::bigint)`.execute(trx)
}

/** The same, only where the user is a super admin: all other edits go on side by side. */
export async function lockIfSuperAdmin(trx: Transaction<Tables>, id: number) {
  await sql`select pg_advisory_xact_lock(${SUPER_ADMINS_LOCK}::bigint) from users where id = ${id} and is_super_admin`.execute(
    trx,
  )
}

export function isUniqueViolation(error: unknown, index: string) {
  return Reflect.get(Object(error), 'code') === '23505' && Reflect.get(Object(error), 'constraint') === index
}
