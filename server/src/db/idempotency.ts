import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Actor } from '../actor.ts'
import { Problem } from '../problem.ts'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

export type Call = {
  /** The call, such as `POST /api/v1/source_import/sources`. */
  name: string
  /** The caller's Idempotency-Key; without it, the work always runs. */
  key: string | undefined
  /** The request: the same key with another request is rejected. */
  request: string | Buffer
}

/**
 * Runs the work once per key, and saves its response in the same transaction. A repeated call gets that response; a
 * concurrent one waits for it.
 */
export async function once<Result extends object>(
  trx: Transaction<Tables>,
  actor: Pick<Actor, 'id'>,
  { name, key, request }: Call,
  work: () => Promise<Result>,
): Promise<Result> {
  if (key === undefined) return work()
  const request_hash = hash(request)
  const id = { actor_id: actor.id, call: name, key }
  const taken = await trx
    .insertInto('idempotency_keys')
    .values({ ...id, request_hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  const row = trx.updateTable('idempotency_keys').where('actor_id', '=', id.actor_id).where('call', '=', name)
  if (taken) {
    const result = await work()
    await row
      .where('key', '=', key)
      .set({ answer: JSON.stringify(result) })
      .execute()
    return result
  }
  const earlier = await findEarlier(trx, id)
  if (!earlier) throw new Problem(409, 'The same request is still in progress. Try again in a moment.')
  return checked(earlier, request_hash) as Result
}

/** The saved response for this key, if any: checked before work outside a transaction. */
export async function earlierResponse<Result extends object>(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { name, key, request }: Call,
): Promise<Result | undefined> {
  if (key === undefined) return undefined
  const earlier = await findEarlier(db, { actor_id: actor.id, call: name, key })
  return earlier && (checked(earlier, hash(request)) as Result)
}

function hash(request: string | Buffer) {
  return createHash('sha256').update(request).digest()
}

function findEarlier(db: Db, { actor_id, call, key }: { actor_id: number; call: string; key: string }) {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('actor_id', '=', actor_id)
    .where('call', '=', call)
    .where('key', '=', key)
    .executeTakeFirst()
}

function checked({ request_hash, answer }: { request_hash: Buffer; answer: object | null }, wanted: Buffer) {
  if (request_hash.equals(wanted)) return answer
  throw new Problem(422, 'This Idempotency-Key was already used for another request.')
}
