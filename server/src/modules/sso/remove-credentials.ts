import type { AuditEvent } from '@watchdesk/contract/audit'
import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../db/access.ts'
import { changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { notify } from '../account/notices.ts'
import { countSecondFactors, removeSecondFactors } from '../second-factor/state.ts'

type Removal = {
  id: number
  author: { name: string }
  /** Of a password that nobody knows. */
  password_hash: string
}

/**
 * Removes the password and second factors of a user whose row is locked, and ends their sessions, tokens and links. Nobody has
 * verified the email here, and an admin may have set the password: somebody else would get what the provider allows its
 * owner. Returns what to record.
 */
export async function removeCredentials(trx: Trx, env: Pick<Env, 'SMTP_URL'>, { id, author, password_hash }: Removal) {
  const second_factors = await countSecondFactors(trx, id)
  await removeSecondFactors(trx, id)
  const ended = await endSignIns(trx, sql`users.id = ${id}`, { withTokens: true })
  const { numUpdatedRows: passwords } = await trx
    .updateTable('users')
    .set({ password_hash, has_password: false })
    .where('id', '=', id)
    .where('has_password', '=', true)
    .executeTakeFirst()
  const changes: AuditEvent['changes'] = {
    ...(passwords > 0 && changesBetween({}, { password: '' })),
    ...changesBetween({ second_factors }, { second_factors: 0 }),
    ...endedSignIns(ended),
  }
  if (Object.keys(changes).length > 0) await notify(trx, env, { user_id: id, kind: 'replaced_by_sso', actor: author })
  return changes
}
