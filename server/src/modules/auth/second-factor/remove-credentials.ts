import type { AuditEvent } from '@watchdesk/contract/activity'
import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../../db/access.ts'
import { changesBetween } from '../../../db/audit.ts'
import type { Trx } from '../../../db/open.ts'
import { removeSecondFactors } from './state.ts'

type Removal = {
  /** Of a password that nobody knows. Without it, the password stays. */
  password_hash: string | undefined
  withTokens: boolean
}

/**
 * Removes the password and second factors of a user whose row is locked, and ends their sessions, unfinished sign-ins, links
 * and tokens, because somebody else may have them. Returns what to record, except for the factors.
 */
export async function removeCredentials(trx: Trx, id: number, { password_hash, withTokens }: Removal) {
  await removeSecondFactors(trx, id)
  const ended = await endSignIns(trx, sql`users.id = ${id}`, { withTokens })
  const hadPassword = password_hash !== undefined && (await removePassword(trx, id, password_hash))
  const changes: AuditEvent['changes'] = {
    ...(hadPassword && changesBetween({}, { password: '' })),
    ...endedSignIns(ended),
  }
  return changes
}

async function removePassword(trx: Trx, id: number, password_hash: string) {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ password_hash, has_password: false })
    .where('id', '=', id)
    .where('has_password', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
