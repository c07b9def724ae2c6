import { type Undo, type UndoPreview, undoImport } from '@watchdesk/contract/imports'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { retryOnChange } from '../bulk-changes/retry.ts'
import { chainOf, findImport, kindOf, problemOf } from './undo-chain.ts'
import { isForBackground, queueUndo } from './undo-job.ts'
import { NO_EFFECTS } from './undo-kind.ts'
import { undoNow } from './undo-now.ts'

type Parts = Pick<Deps, 'rights' | 'inSnapshot' | 'jobs'>

type Wanted = Undo & {
  key: string | undefined
  /** Waits until there is a place for a large transaction. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Less than a caller waits. */
const READ_MS = TIMEOUT_MS.vectorization * 0.9

export function undoStore({ rights, inSnapshot, jobs }: Parts) {
  return { preview, create }

  async function preview(actor: Actor, id: number): Promise<UndoPreview> {
    return reading(actor, async (db) => {
      const asked = await findImport(db, id)
      const problem = await problemOf(db, asked)
      if (problem !== null) return { effects: NO_EFFECTS, changed_count: 0, changed: [], gone_count: 0, problem }
      const chain = await chainOf(db, asked)
      return kindOf(chain).preview(db, actor, chain)
    })
  }

  /** Returns the id of the undo, which is done, or is queued if it changes many rows. */
  async function create(actor: Actor, id: number, { changed, key, inSlot }: Wanted) {
    const name = `${undoImport.method} ${undoImport.url.replace(':id', String(id))}`
    const call: Call = { name, key, request: JSON.stringify(changed) }
    const write = (work: (trx: Trx) => Promise<{ import_id: number }>) =>
      retryOnDeadlock(() => rights.writeLong(actor, TIMEOUT_MS.undo, (trx) => once(trx, actor, call, () => work(trx))))

    if (!(await reading(actor, (db) => isForBackground(db, id)))) {
      return inSlot(() => retryOnChange((lock) => write((trx) => undoNow(trx, actor, id, { changed, ...lock }))))
    }
    const queued = await write((trx) => queueUndo(trx, actor, id, changed))
    jobs.wake()
    return queued
  }

  async function reading<Result>(actor: Actor, work: (db: Db) => Promise<Result>) {
    await rights.check(actor)
    return inSnapshot(async (snapshot) => {
      // It looks at every row of an import, of which there may be a million.
      await rowsOf(snapshot, sql`select set_config('statement_timeout', ${String(READ_MS)}, true)`)
      return work(snapshot)
    })
  }
}
