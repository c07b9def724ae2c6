import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { unavailable } from '../problem.ts'
import type { Semaphores } from '../semaphore.ts'
import type { Db } from './open.ts'
import { type InSnapshot, rowsOf } from './read.ts'
import type { Rights } from './rights.ts'

/** Less than a caller waits. */
const MAX_MS = TIMEOUT_MS.preview * 0.9

type LongReadDeps = { rights: Rights; inSnapshot: InSnapshot; semaphores: Semaphores }

/** Reads for a preview that looks at very many rows, in one snapshot. Only a few do so at the same time. */
export function longReads({ rights, inSnapshot, semaphores }: LongReadDeps) {
  return async <Result>(actor: Actor, work: (db: Db) => Promise<Result>) => {
    await rights.check(actor)
    const read = () =>
      inSnapshot(async (snapshot) => {
        await rowsOf(snapshot, sql`select set_config('statement_timeout', ${String(MAX_MS)}, true)`)
        return work(snapshot)
      })
    return semaphores.previews.run(read, {
      key: actor.id,
      refuse: () => unavailable('Too many changes are being previewed. Try again in a moment.', 5),
    })
  }
}
