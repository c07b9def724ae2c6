import { hash } from 'node:crypto'
import type { Actor } from '../actor.ts'
import { Problem } from '../problem.ts'
import type { Db, Trx } from './open.ts'

export type Call = {
  /** The call, such as `POST /api/v1/source_import/sources`. */
  name: string
  /** The caller's Idempotency-Key; without it, the work always runs. */
  key: string | undefined
  /** The request: the same key with another request is rejected. */
  request: string | Buffer
}

/** A repeated call gets the saved response; a concurrent one waits for it. */
export async function once<Result extends object>(
  trx: Trx,
  actor: Pick<Actor, 'id'>,
  call: Call,
  work: () => Promise<Result>,
): Promise<Result> {
  if (call.key === undefined) return work()
  const id = { actor_id: actor.id, call: call.name, key: call.key }
  const taken = await trx
    .insertInto('idempotency_keys')
    .values({ ...id, request_hash: hash('sha256', call.request, 'buffer') })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!taken) {
    const earlier = await earlierResponse<Result>(trx, actor, call)
    if (!earlier) throw new Problem(409, 'The same request is still in progress. Try again in a moment.')
    return earlier
  }
  const result = await work()
  await trx
    .updateTable('idempotency_keys')
    .where(({ and }) => and(id))
    .set({ answer: JSON.stringify(result) })
    .execute()
  return result
}

/** The saved response for this key, if any: checked before work outside a transaction. */
export async function earlierResponse<Result extends object>(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { name, key, request }: Call,
): Promise<Result | undefined> {
  if (key === undefined) return undefined
  const earlier = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where(({ and }) => and({ actor_id: actor.id, call: name, key }))
    .executeTakeFirst()
  if (earlier && !earlier.request_hash.equals(hash('sha256', request, 'buffer')))
    throw new Problem(422, 'This Idempotency-Key was already used for another request.')
  return (earlier?.answer ?? undefined) as Result | undefined
}
