import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import { requireRecentSignIn } from '../../plugins/auth.ts'
import type { BulkAction, BulkKind } from './kind.ts'

/** The records that `choose` has listed, without those that are refused. */
export const CHOSEN = sql`select id, changes from chosen where place is not null`
/** The same of what `judged` finds. */
export function changing(judged: RawBuilder<unknown>) {
  return sql`select id, changes from (${judged}) as judged where is_changed and reason is null`
}

/**
 * Asks for a recent sign-in if one of the records needs it. Only at the call: a job runs later, and for nobody who could
 * sign in.
 */
export async function checkDanger(
  trx: Trx,
  actor: Actor,
  kind: BulkKind,
  action: BulkAction,
  records: RawBuilder<unknown>,
) {
  const isDangerous = kind.isDangerous?.(action)
  if (!isDangerous) return
  const table = sql.table(kind.table)
  const { rows } = await sql`select from (${records}) as wanted join ${table} on ${table}.id = wanted.id
    where ${isDangerous} limit 1`.execute(trx)
  if (rows.length > 0) requireRecentSignIn(actor)
}
