import { type Undo, type UndoPreview, undoImport } from '@watchdesk/contract/imports'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { Actor } from '../../actor.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { type Call, once } from '../../db/idempotency.ts'
import { longReads } from '../../db/long-read.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { retryOnChange } from '../bulk-changes/retry.ts'
import { chainOf, findImport, kindOf, problemOf } from './undo-chain.ts'
import { isForBackground, queueUndo } from './undo-job.ts'
import { NO_EFFECTS } from './undo-kind.ts'
import { undoNow } from './undo-now.ts'

type Parts = Pick<Deps, 'env' | 'rights' | 'inSnapshot' | 'jobs' | 'semaphores'>

type Wanted = Undo & {
  key: string | undefined
  /** Waits until there is a place for a large transaction. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export function undoStore(parts: Parts) {
  const { env, rights, jobs } = parts
  const reading = longReads(parts)
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
      return inSlot(() => retryOnChange((lock) => write((trx) => undoNow(trx, actor, id, { env, changed, ...lock }))))
    }
    const queued = await write((trx) => queueUndo(trx, actor, id, changed))
    jobs.wake()
    return queued
  }
}
