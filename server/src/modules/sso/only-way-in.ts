import type { AuditEvent } from '@watchdesk/contract/audit'
import { sql } from 'kysely'
import { endedSessions, endSignIns } from '../../db/access.ts'
import { changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { notify } from '../account/notices.ts'
import { countSecondFactors, removeSecondFactors } from '../second-factor/state.ts'

type Ending = {
  id: number
  author: { name: string }
  /** Of a password that nobody knows. */
  password_hash: string
}

/**
 * Ends every other way into an account that the caller has locked. Nobody has verified its email here, and an admin may have
 * set its password: somebody else would get what the provider allows its owner. Returns what to record.
 */
export async function makeOnlyWayIn(trx: Trx, env: Pick<Env, 'SMTP_URL'>, { id, author, password_hash }: Ending) {
  const before = { second_factors: await countSecondFactors(trx, id), tokens: await countTokens(trx, id) }
  await removeSecondFactors(trx, id)
  const sessions = await endSignIns(trx, sql`users.id = ${id}`, { withTokens: true })
  const { numUpdatedRows: passwords } = await trx
    .updateTable('users')
    .set({ password_hash, has_password: false })
    .where('id', '=', id)
    .where('has_password', '=', true)
    .executeTakeFirst()
  const changes: AuditEvent['changes'] = {
    ...changesBetween(before, { second_factors: 0, tokens: 0 }),
    ...(passwords > 0 && changesBetween({}, { password: '' })),
    ...endedSessions(sessions),
  }
  if (Object.keys(changes).length > 0) await notify(trx, env, { user_id: id, kind: 'replaced_by_sso', actor: author })
  return changes
}

async function countTokens(trx: Trx, user_id: number) {
  const query = trx.selectFrom('api_tokens').select(({ fn }) => fn.countAll<number>().as('count'))
  return (await query.where('user_id', '=', user_id).executeTakeFirstOrThrow()).count
}
