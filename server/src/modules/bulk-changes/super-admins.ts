import { type RawBuilder, sql } from 'kysely'
import { superAdminsWithAccess } from '../../db/access.ts'
import { lockSuperAdmins } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import { conflict } from '../../problem.ts'

/**
 * Throws if nobody who can sign in is a super admin after the change. Callers keep their own rights, so this can only
 * happen together with another change. `affected` selects the super admins who lose something.
 */
export async function keepSuperAdmin(trx: Trx, affected: RawBuilder<unknown>) {
  const { rows } = await sql`select from (${affected}) as affected limit 1`.execute(trx)
  if (rows.length === 0) return
  await lockSuperAdmins(trx)
  const left = await superAdminsWithAccess(trx).limit(1).executeTakeFirst()
  if (!left) throw conflict('This would leave no super admin who can sign in, so nothing was changed.')
}
