import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { Undo, UndoPreview } from '@watchdesk/contract/operations/operations'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { longReads } from '../../db/long-read.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { createJob } from '../../jobs/create.ts'
import type { RowsInput } from '../../jobs/kind.ts'
import { conflict } from '../../problem.ts'
import {
  type Chain,
  notUndone,
  type OperationKind,
  type OperationKinds,
  type OperationRow,
  type UndoKind,
  type UndoRun,
} from './kind.ts'
import { manyRowsJob, writeOnce } from './many-rows.ts'
import { beginOperation, endOperation } from './record.ts'
import { chainOf, findOperation, lockChain, NOTHING_TO_UNDO } from './undoable.ts'

const ALL_CHANGED = 'All of its rows changed since or no longer exist, so nothing was undone.'

export type UndoInput = RowsInput & { undoes_id: number; changed: Undo['changed']; entity: UndoKind['entity'] }

export function undoStore(deps: Deps) {
  const { env, kinds } = deps
  const reading = longReads(deps)
  return { preview, create }

  async function preview(actor: Actor, id: number): Promise<UndoPreview> {
    return reading(actor, async (db) => {
      const asked = await findOperation(db, kinds, id)
      if (asked.problem !== null) return notUndone(asked.problem)
      const chain = await chainOf(db, kinds, asked)
      return chain.kind.preview(db, actor, chain)
    })
  }

  async function create(request: FastifyRequest, id: number, changed: Undo['changed']) {
    const { actor, slot } = request
    if (await reading(actor, (db) => isForBackground(db, kinds, id)))
      return writeOnce(deps, request, (trx) => queueUndo(trx, kinds, actor, id, changed))
    return slot.run(() =>
      writeOnce(deps, request, (trx, run) => undoNow(trx, actor, id, { env, kinds, changed, ...run })),
    )
  }
}

/** Whether an undo takes longer than a caller likes to wait, or is refused without a wait for a place. */
async function isForBackground(db: Db, kinds: OperationKinds, id: number) {
  const asked = await findOperation(db, kinds, id)
  if (asked.problem !== null) return true
  return (await countChanges(db, await chainOf(db, kinds, asked))) > ROWS_IN_A_CALL
}

/** Until the job has ended, nobody else can undo the import; if it fails or is cancelled, it can be undone again. */
async function queueUndo(trx: Trx, kinds: OperationKinds, actor: Actor, id: number, changed: Undo['changed']) {
  const chain = await lockChain(trx, kinds, id)
  const { first, target, kind } = chain
  await kind.check?.(trx, actor, chain, changed)
  const rows_count = await countChanges(trx, chain)
  return createJob<UndoInput>(trx, actor, 'undo', {
    operation: { name: first.name, undoes_id: target.id },
    input: { name: nameOf(first), rows_count, undoes_id: target.id, changed, entity: kind.entity },
  })
}

async function countChanges(db: Db, { target, kind }: Chain) {
  const changes = sql<{ count: number }>`select count(*) as count from (${kind.changes(target)}) as changes`
  const [row] = await rowsOf(db, changes)
  return row?.count ?? 0
}

/** A change of many sources has no name, but says what it did. */
function nameOf({ id, name, details }: OperationRow) {
  return name ?? (Object(details).summary as string | undefined) ?? `import ${id}`
}

type Options = Omit<UndoRun, 'chain' | 'operation_id'> & { kinds: OperationKinds }

/** An undo is an import like any other. Undoing it is a redo, which brings the changes back and cannot be undone. */
async function undoNow(trx: Trx, actor: Actor, id: number, { kinds, ...options }: Options) {
  const { existing_id } = options
  const chain = await lockChain(trx, kinds, id, existing_id)
  const { target, first, kind } = chain
  const { entity, undo, allChanged = ALL_CHANGED } = kind
  const { name } = first
  const isRedo = target.id !== first.id
  const import_id = await beginOperation(trx, actor, { kind: 'undo', name, undoes_id: target.id }, existing_id)
  const { left, sheet, afterEvent, ...effects } = await undo(trx, actor, { ...options, chain, operation_id: import_id })
  const effected = Object.entries(effects).filter(([, count]) => count > 0)
  // Otherwise it would count as undone, and rows that were left alone could never be chosen.
  if (effected.length === 0 && !sheet) throw conflict(left > 0 ? allChanged : NOTHING_TO_UNDO)
  const counts = Object.fromEntries(effected.map(([effect, count]) => [effect.replaceAll('_', ' '), count]))
  await trx.updateTable('operations').set({ is_undone: true }).where('id', '=', target.id).execute()
  if (isRedo) await trx.updateTable('operations').set({ is_undone: false }).where('id', '=', first.id).execute()
  const changed_count = effected.reduce((sum, [, count]) => sum + count, 0)
  const facts = { import_id: target.id, origin_kind: first.kind, is_redo: isRedo, ...counts, left_alone: left }
  const changes = changesBetween({}, { ...(afterEvent && { changed_count }), ...facts })
  // The event of a sheet belongs to the history of the sheet.
  const record = sheet ? { name: sheet.title, version: sheet.version } : name ? { name } : undefined
  const entity_id = sheet?.id ?? import_id
  const event_id = await audit(trx, actor, { action: 'undo', entity, entity_id, ...(record && { record }), changes })
  await afterEvent?.(event_id)
  await endOperation(trx, import_id, { counts: left > 0 ? { ...counts, 'left alone': left } : counts })
  return { import_id }
}

export const undo: OperationKind = {
  job: ({ env, kinds }) =>
    manyRowsJob<UndoInput>(
      { name: 'undo', entityOf: ({ entity }) => entity },
      (trx, actor, { undoes_id, changed }, run) => undoNow(trx, actor, undoes_id, { env, kinds, changed, ...run }),
    ),
}
