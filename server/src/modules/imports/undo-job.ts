import type { Undo } from '@watchdesk/contract/imports'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { JobKind, RowsInput } from '../../jobs/kind.ts'
import { retryOnChange } from '../bulk-changes/retry.ts'
import { createJob } from '../jobs/create.ts'
import { chainOf, findImport, kindOf, lockChain, undoOf } from './undo-chain.ts'
import type { Chain, ImportRow, UndoKind, UndoOptions } from './undo-kind.ts'
import { undoNow } from './undo-now.ts'

export type UndoInput = RowsInput & { undoes_id: number; changed: Undo['changed']; entity: UndoKind['entity'] }

/** Undoes a large import in the background, with the same result as the call. */
export function undoJob(env: UndoOptions['env']): JobKind<UndoInput> {
  return {
    name: 'undo',
    async run({ actor, input, progress, save }) {
      const { undoes_id, changed, import_id: existing_id, rows_count: total } = input
      const report = (done: number) => progress({ step: 'storing', done, total })
      report(0)
      await retryOnChange((lock) =>
        save((trx) => undoNow(trx, actor, undoes_id, { env, changed, existing_id, progress: report, ...lock })),
      )
    },
  }
}

/** Whether an undo takes longer than a caller likes to wait, or one is already in the background. */
export async function isForBackground(db: Db, id: number) {
  const asked = await findImport(db, id)
  const undo = await undoOf(db, id)
  if (undo && undo.state !== 'done') return true
  return (await countChanges(db, await chainOf(db, asked), ROWS_IN_A_CALL + 1)) > ROWS_IN_A_CALL
}

/** Until the job has ended, nobody else can undo the import; if it fails or is cancelled, it can be undone again. */
export async function queueUndo(trx: Trx, actor: Actor, id: number, changed: Undo['changed']) {
  const chain = await lockChain(trx, id)
  await kindOf(chain).check?.(trx, actor, chain, changed)
  const { first, target } = chain
  const rows_count = await countChanges(trx, chain)
  const { import_id } = await createJob<UndoInput>(trx, actor, 'undo', {
    import: { name: first.name, undoes_id: target.id },
    input: { name: nameOf(first), rows_count, undoes_id: target.id, changed, entity: kindOf(chain).entity },
  })
  return { import_id }
}

/** The number of rows that the import changed, or `atMost`. */
async function countChanges(db: Db, chain: Chain, atMost?: number) {
  const changes = kindOf(chain).changes?.(chain)
  if (!changes) return 0
  const limit = atMost === undefined ? sql`` : sql`limit ${atMost}`
  const [row] = await rowsOf(
    db,
    sql<{ count: number }>`select count(*) as count from (select from (${changes}) as changes ${limit}) as counted`,
  )
  return row?.count ?? 0
}

/** A change of many sources has no name, but says what it did. */
function nameOf({ id, name, details }: ImportRow) {
  return name ?? (Object(details).summary as string | undefined) ?? `import ${id}`
}
