import { sql } from 'kysely'
import type { Db, Trx } from '../../db/open.ts'
import { conflict, found } from '../../problem.ts'
import type { BulkName } from '../bulk-changes/kind.ts'
import { BULK_KINDS } from '../bulk-changes/kinds.ts'
import { bulkUndo } from '../bulk-changes/undo.ts'
import type { Chain, ImportRow, UndoKind } from './undo-kind.ts'
import { sheetUndo } from './undo-sheet.ts'
import { sourcesUndo } from './undo-sources.ts'
import { storiesUndo } from './undo-stories.ts'

export const NOTHING_TO_UNDO = 'The import changed nothing, so there is nothing to undo.'
const IN_BACKGROUND = 'It is already being undone in the background. Wait until that has ended, or cancel it.'

export async function findImport(db: Db, id: number): Promise<ImportRow> {
  return found(await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst(), 'Import')
}

/** The import, and those that it undid, one after the other. */
function before(id: number) {
  return sql`with recursive chain as (
      select id, undoes_id from imports where id = ${id}
      union all select imports.id, imports.undoes_id from imports join chain on imports.id = chain.undoes_id
    ) select id from chain`
}

/** The import, and those that undid it, one after the other. */
function after(id: number) {
  return sql`with recursive chain as (
      select id from imports where id = ${id}
      union all select imports.id from imports join chain on imports.undoes_id = chain.id where imports.state = 'done'
    ) select id from chain`
}

/** Whether an undo waits or runs in the background. */
export async function isBeingUndone(db: Db, id: number) {
  const query = sql<boolean>`state in ('queued', 'running') and undoes_id in (${after(id)})`
  return (await db.selectFrom('imports').select('id').where(query).executeTakeFirst()) !== undefined
}

/** Why the import cannot be undone now. Null if it can. */
export async function problemOf(db: Db, asked: ImportRow) {
  return (await ownProblemOf(db, asked)) ?? ((await isBeingUndone(db, asked.id)) ? IN_BACKGROUND : null)
}

async function ownProblemOf(db: Db, { kind, state, is_undone, is_purged, details }: ImportRow) {
  if (kind === 'export') return 'An export changes nothing, so there is nothing to undo.'
  if (state === 'queued' || state === 'running') return 'The import is still running. Cancel it instead.'
  const hasAddedNobody = kind === 'users_import' && details.event_id === null
  if (state !== 'done' || hasAddedNobody) return NOTHING_TO_UNDO
  if (['end_sessions', 'unlock'].includes(String(details.action))) return 'This cannot be undone.'
  if (is_purged || !(await isEventKept(db, details.event_id)))
    return 'It is too old to be undone: what it changed is no longer kept.'
  return is_undone ? 'It is already undone.' : null
}

/** The parts of the event have what was changed, if an import has one. */
async function isEventKept(db: Db, event_id: unknown) {
  if (typeof event_id !== 'number') return true
  const event = await db.selectFrom('audit_events').select('id').where('id', '=', event_id).executeTakeFirst()
  return event !== undefined
}

/** Locks the first import of the chain, so that two people cannot undo it at once. Throws if it cannot be undone. */
export async function lockChain(trx: Trx, id: number, { isOfJob }: { isOfJob: boolean }): Promise<Chain> {
  const check = async () => {
    const asked = await findImport(trx, id)
    const problem = isOfJob ? await ownProblemOf(trx, asked) : await problemOf(trx, asked)
    if (problem !== null) throw conflict(problem)
    return asked
  }
  // A job has the lock until it ends, and nobody should wait for that.
  await check()
  await sql`select from imports where undoes_id is null and id in (${before(id)}) for update`.execute(trx)
  return chainOf(trx, await check())
}

/** The target is the import itself, or the last one that undid an undo of it. */
export async function chainOf(db: Db, { id }: Pick<ImportRow, 'id'>): Promise<Chain> {
  const select = db.selectFrom('imports').selectAll()
  const first = select.where('undoes_id', 'is', null).where(sql<boolean>`id in (${before(id)})`)
  const target = select.where(sql<boolean>`id = (select max(id) from (${after(id)}) as chain)`)
  return { first: await first.executeTakeFirstOrThrow(), target: await target.executeTakeFirstOrThrow() }
}

/** An undo is undone in the same way as the import at the start of its chain. */
export function kindOf({ first }: Chain): UndoKind {
  if (first.kind === 'users_import') return bulkUndo(BULK_KINDS.users_change)
  if (first.kind in BULK_KINDS) return bulkUndo(BULK_KINDS[first.kind as BulkName])
  if (first.kind === 'sheet_replacement') return sheetUndo
  return first.kind === 'stories_import' ? storiesUndo : sourcesUndo
}

/** Along a chain, imports are undone in turns: what an undone undo had undone is done again. */
export async function flipChain(trx: Trx, { id }: ImportRow) {
  await sql`update imports set is_undone = not is_undone where id in (${before(id)})`.execute(trx)
}
