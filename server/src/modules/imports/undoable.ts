import { sql } from 'kysely'
import type { Db, Trx } from '../../db/open.ts'
import { conflict, found } from '../../problem.ts'
import type { BulkName } from '../bulk-changes/kind.ts'
import { BULK_KINDS } from '../bulk-changes/kinds.ts'
import { bulkUndo } from '../bulk-changes/undo.ts'
import type { Chain, ImportRow, UndoKind } from './undo-kind.ts'
import { sheetsUndo } from './undo-sheets.ts'
import { sourcesUndo } from './undo-sources.ts'
import { storiesUndo } from './undo-stories.ts'

export const NOTHING_TO_UNDO = 'The import changed nothing, so there is nothing to undo.'
const IN_BACKGROUND = 'It is already being undone in the background. Wait until that has ended, or cancel it.'
const ONCE =
  'It was undone and redone before, which works only once. To change it again, edit the records or make a new change.'

export async function findImport(db: Db, id: number): Promise<ImportRow> {
  return found(await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst(), 'Import')
}

/** The undo of the import, which may wait or run in the background. */
export function undoOf(db: Db, id: number) {
  return db
    .selectFrom('imports')
    .select(['id', 'state'])
    .where('undoes_id', '=', id)
    .where('state', 'in', ['queued', 'running', 'done'])
    .executeTakeFirst()
}

/**
 * Exports change nothing that could be undone, nor does a job whose records others have changed in the same way. Ended
 * sessions stay ended. What was done to users, workspaces and dashboards is in their events, as long as these are kept.
 */
export const UNDOABLE = sql<boolean>`(imports.state = 'done' and imports.kind <> 'export' and not imports.is_purged
  and not (imports.kind in ('sources_change', 'users_change', 'workspaces_change', 'dashboards_change')
    and imports.counts ->> 'changed' = '0')
  and coalesce(imports.details ->> 'action', '') not in ('end_sessions', 'unlock')
  and (not imports.details ? 'event_id'
    or exists (select from audit_events where audit_events.id = (imports.details ->> 'event_id')::bigint)))`

/** Why the import cannot be undone now, other than by the undo of a job. Null if it can. */
export async function problemOf(db: Db, asked: ImportRow, job_import_id?: number) {
  const { kind, state, is_undone, is_purged, details } = asked
  if (kind === 'export') return 'An export changes nothing, so there is nothing to undo.'
  if (state === 'queued' || state === 'running') return 'The import is still running. Cancel it instead.'
  const hasAddedNobody = kind === 'users_import' && details.event_id === null
  if (state !== 'done' || hasAddedNobody) return NOTHING_TO_UNDO
  if (['end_sessions', 'unlock'].includes(String(details.action))) return 'This cannot be undone.'
  if (is_purged || !(await isEventKept(db, details.event_id)))
    return 'It is too old to be undone: what it changed is no longer kept.'
  if (is_undone) return 'It is already undone.'
  const undo = await undoOf(db, asked.id)
  if (undo && undo.id !== job_import_id) return undo.state === 'done' ? ONCE : IN_BACKGROUND
  const { first } = await chainOf(db, asked)
  return first.undoes_id === null ? null : ONCE
}

/** The parts of the event have what was changed, if an import has one. */
async function isEventKept(db: Db, event_id: unknown) {
  if (typeof event_id !== 'number') return true
  const event = await db.selectFrom('audit_events').select('id').where('id', '=', event_id).executeTakeFirst()
  return event !== undefined
}

/** Locks the import at the start, so that two people cannot undo it at once. Throws if it cannot be undone. */
export async function lockChain(trx: Trx, id: number, job_import_id?: number): Promise<Chain> {
  const check = async () => {
    const asked = await findImport(trx, id)
    const problem = await problemOf(trx, asked, job_import_id)
    if (problem !== null) throw conflict(problem)
    return chainOf(trx, asked)
  }
  // A job has the lock until it ends, and nobody should wait for that.
  const { first } = await check()
  await trx.selectFrom('imports').select('id').where('id', '=', first.id).forUpdate().execute()
  return check()
}

export async function chainOf(db: Db, target: ImportRow): Promise<Chain> {
  return { target, first: target.undoes_id === null ? target : await findImport(db, target.undoes_id) }
}

/** An undo is undone in the same way as its import. */
export function kindOf({ first }: Chain): UndoKind {
  if (first.kind === 'users_import') return bulkUndo(BULK_KINDS.users_change)
  if (first.kind in BULK_KINDS) return bulkUndo(BULK_KINDS[first.kind as BulkName])
  if (first.kind === 'sheet_replacement') return sheetsUndo
  return first.kind === 'stories_import' ? storiesUndo : sourcesUndo
}
