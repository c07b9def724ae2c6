import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Actor } from '../actor.ts'
import { Problem } from '../problem.ts'
import type { Tables } from './tables.ts'

type Call = {
  /** Which call it is, as in `POST /api/v1/source_import/sources`. */
  name: string
  /** The caller's Idempotency-Key; without one the work is simply done. */
  key: string | undefined
  /** What was asked: the same key with another request is refused. */
  request: string | Buffer
}

/**
 * Does the work once for a key, in the transaction that also keeps its answer. A repetition gets that answer; one that
 * comes while the first is under way waits for it.
 */
export async function once<Answer extends object>(
  trx: Transaction<Tables>,
  actor: Pick<Actor, 'id'>,
  { name, key, request }: Call,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return work()
  const request_hash = createHash('sha256').update(request).digest()
  const id = { actor_id: actor.id, call: name, key }
  const taken = await trx
    .insertInto('idempotency_keys')
    .values({ ...id, request_hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  const row = trx.updateTable('idempotency_keys').where('actor_id', '=', id.actor_id).where('call', '=', name)
  if (taken) {
    const answer = await work()
    await row
      .where('key', '=', key)
      .set({ answer: JSON.stringify(answer) })
      .execute()
    return answer
  }
  const earlier = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('actor_id', '=', id.actor_id)
    .where('call', '=', name)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!earlier.request_hash.equals(request_hash)) {
    throw new Problem(422, 'This Idempotency-Key was already used for another request.')
  }
  return earlier.answer as Answer
}
