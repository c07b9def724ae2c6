import type { Undo } from '@watchdesk/contract/imports'
import type { Actor } from '../../actor.ts'
import { audit } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import { conflict } from '../../problem.ts'
import { beginImport, endImport } from './record.ts'
import { kindOf, lockChain, NOTHING_TO_UNDO } from './undo-chain.ts'
import type { UndoOptions } from './undo-kind.ts'

const ALL_CHANGED = 'All of its rows changed since or no longer exist, so nothing was undone.'

type Options = {
  changed: Undo['changed']
  /** The undo, if a job carries it out. */
  existing_id?: number
} & Pick<UndoOptions, 'env'> &
  Partial<UndoOptions>

/** An undo is an import like any other. Undoing it is a redo, which brings the changes back and cannot be undone. */
export async function undoNow(trx: Trx, actor: Actor, id: number, options: Options) {
  const { env, changed, existing_id, locksFirst = false, progress = () => {} } = options
  const chain = await lockChain(trx, id, existing_id)
  const { entity, undo, check } = kindOf(chain)
  if (existing_id === undefined) await check?.(trx, actor, chain, changed)
  const { target, first } = chain
  const { name } = first
  const isRedo = target.id !== first.id
  const import_id = await beginImport(trx, actor, { kind: 'undo', name, undoes_id: target.id }, existing_id)
  const done = await undo(trx, actor, chain, import_id, changed, { env, locksFirst, progress })
  const { left, sheet, afterEvent, ...effects } = done
  const effected = Object.entries(effects).filter(([, count]) => count > 0)
  // Otherwise it would count as undone, and rows that were left alone could never be chosen.
  if (effected.length === 0 && !sheet) throw conflict(left > 0 ? ALL_CHANGED : NOTHING_TO_UNDO)
  const counts = Object.fromEntries(effected.map(([effect, count]) => [effect.replaceAll('_', ' '), count]))
  await trx.updateTable('imports').set({ is_undone: true }).where('id', '=', target.id).execute()
  if (isRedo) await trx.updateTable('imports').set({ is_undone: false }).where('id', '=', first.id).execute()
  const changed_count = effected.reduce((sum, [, count]) => sum + count, 0)
  const facts = {
    ...(afterEvent && { changed_count }),
    import_id: target.id,
    origin_kind: first.kind,
    is_redo: isRedo,
    ...counts,
    left_alone: left,
  }
  const changes = Object.fromEntries(Object.entries(facts).map(([field, after]) => [field, { before: null, after }]))
  // The event of a sheet belongs to the history of the sheet.
  const record = sheet ? { name: sheet.title, version: sheet.version } : name ? { name } : undefined
  const entity_id = sheet?.id ?? import_id
  const event_id = await audit(trx, actor, { action: 'undo', entity, entity_id, ...(record && { record }), changes })
  await afterEvent?.(event_id)
  await endImport(trx, import_id, {
    counts: left > 0 ? { ...counts, 'left alone': left } : counts,
    ...(afterEvent && { details: { event_id } }),
  })
  return { import_id }
}
