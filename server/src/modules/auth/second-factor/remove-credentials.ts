import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../../db/access.ts'
import { changesBetween } from '../../../db/audit.ts'
import type { Trx } from '../../../db/open.ts'
import { unlockSecondFactor } from '../session/lockout.ts'

type Removal = {
  /** Of a password that nobody knows. Without it, the password stays. */
  password_hash: string | undefined
  withTokens: boolean
}

const SECOND_FACTORS = ['authenticators', 'passkeys', 'recovery_codes', 'passkey_challenges']

/** Call it with a locked user. Returns what to record, except for the factors. */
export async function removeCredentials(trx: Trx, id: number, { password_hash, withTokens }: Removal) {
  for (const table of SECOND_FACTORS) await sql`delete from ${sql.table(table)} where user_id = ${id}`.execute(trx)
  await unlockSecondFactor(trx, id)
  const ended = await endSignIns(trx, sql`users.id = ${id}`, { withTokens })
  if (password_hash === undefined) return endedSignIns(ended)
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ password_hash, has_password: false })
    .where('id', '=', id)
    .where('has_password', '=', true)
    .executeTakeFirst()
  return { ...(numUpdatedRows > 0n && changesBetween({}, { password: '' })), ...endedSignIns(ended) }
}
