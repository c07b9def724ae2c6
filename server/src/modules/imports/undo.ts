import { type Undo, type UndoPreview, undoImport } from '@watchdesk/contract/imports'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit } from '../../db/audit.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { once } from '../../db/idempotency.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { conflict, found, Problem } from '../../problem.ts'
import { beginImport, endImport } from './record.ts'
import { type Chain, type ImportRow, NO_EFFECTS, type UndoKind } from './undo-kind.ts'
import { sheetUndo } from './undo-sheet.ts'
import { sourcesUndo } from './undo-sources.ts'
import { storiesUndo } from './undo-stories.ts'

type Parts = Pick<Deps, 'rights' | 'inSnapshot'>

const NOTHING_TO_UNDO = 'The import changed nothing, so there is nothing to undo.'
const ALL_CHANGED = 'All of its rows changed since or no longer exist, so nothing was undone.'

/** Less than a caller waits. */
const PREVIEW_MS = TIMEOUT_MS.vectorization * 0.9

export function undoStore({ rights, inSnapshot }: Parts) {
  return { preview, create }

  async function preview(actor: Actor, id: number): Promise<UndoPreview> {
    await rights.check(actor)
    return inSnapshot(async (snapshot) => {
      // It looks at every row of an import, of which there may be a million.
      await rowsOf(snapshot, sql`select set_config('statement_timeout', ${String(PREVIEW_MS)}, true)`)
      const asked = found(await selectImport(snapshot, id), 'Import')
      const problem = problemOf(asked)
      if (problem !== null) return { effects: NO_EFFECTS, changed_count: 0, changed: [], gone_count: 0, problem }
      const chain = await chainOf(snapshot, asked)
      return kindOf(chain).preview(snapshot, chain)
    })
  }

  /**
   * An undo is an import like any other, so undoing it brings the changes back. It undoes the last import of the chain: the
   * import itself, or the one that brought its changes back.
   */
  function create(actor: Actor, id: number, { changed }: Undo, key: string | undefined) {
    const name = `${undoImport.method} ${undoImport.url.replace(':id', String(id))}`
    const call = { name, key, request: JSON.stringify(changed) }
    return retryOnDeadlock(() =>
      rights.writeLong(actor, TIMEOUT_MS.undo, (trx) => once(trx, actor, call, () => undoOnce(trx))),
    )

    async function undoOnce(trx: Trx) {
      const asked = found(await lockChain(trx, id), 'Import')
      const problem = problemOf(asked)
      if (problem !== null) throw new Problem(409, problem)
      const chain = await chainOf(trx, asked)
      const { entity, undo } = kindOf(chain)
      const { target, first } = chain
      const { name } = first
      const import_id = await beginImport(trx, actor, { kind: 'undo', name, undoes_id: target.id })
      const { left, sheet, ...effects } = await undo(trx, actor, chain, import_id, changed)
      const done = Object.entries(effects).filter(([, count]) => count > 0)
      // Otherwise it would count as undone, and rows that were left alone could never be chosen.
      if (done.length === 0 && !sheet) throw conflict(left > 0 ? ALL_CHANGED : NOTHING_TO_UNDO)
      const counts = Object.fromEntries(done.map(([effect, count]) => [effect.replaceAll('_', ' '), count]))
      await endImport(trx, import_id, { counts: left > 0 ? { ...counts, 'left alone': left } : counts })
      await flipChain(trx, target)
      const changes = Object.fromEntries(
        Object.entries({ import_id: target.id, ...counts, left_alone: left }).map(([field, after]) => [
          field,
          { before: null, after },
        ]),
      )
      // The event of a sheet belongs to the history of the sheet.
      const record = sheet ? { name: sheet.title, version: sheet.version } : name ? { name } : undefined
      const entity_id = sheet?.id ?? import_id
      await audit(trx, actor, { action: 'undo', entity, entity_id, ...(record && { record }), changes })
      return { import_id }
    }
  }
}

function selectImport(db: Db, id: number) {
  return db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
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
      union all select imports.id from imports join chain on imports.undoes_id = chain.id
    ) select id from chain`
}

/** Locks the first import of the chain, so that two people cannot undo it at once. */
async function lockChain(trx: Trx, id: number) {
  await sql`select from imports where undoes_id is null and id in (${before(id)}) for update`.execute(trx)
  return selectImport(trx, id)
}

function problemOf({ kind, state, is_undone, is_purged }: ImportRow) {
  if (kind === 'export') return 'An export changes nothing, so there is nothing to undo.'
  if (state === 'queued' || state === 'running') return 'The import is still running. Cancel it instead.'
  if (state !== 'done') return NOTHING_TO_UNDO
  if (is_purged) return 'It is too old to be undone: what it changed is no longer kept.'
  return is_undone ? 'It is already undone.' : null
}

/** The target is the import itself, or the last one that undid an undo of it. */
async function chainOf(db: Db, { id }: ImportRow): Promise<Chain> {
  const select = db.selectFrom('imports').selectAll()
  const first = select.where('undoes_id', 'is', null).where(sql<boolean>`id in (${before(id)})`)
  const target = select.where(sql<boolean>`id = (select max(id) from (${after(id)}) as chain)`)
  return { first: await first.executeTakeFirstOrThrow(), target: await target.executeTakeFirstOrThrow() }
}

/** An undo is undone in the same way as the import at the start of its chain. */
function kindOf({ first }: Chain): UndoKind {
  if (first.kind === 'sheet_replacement') return sheetUndo
  return first.kind === 'stories_import' ? storiesUndo : sourcesUndo
}

/** Along a chain, imports are undone in turns: what an undone undo had undone is done again. */
async function flipChain(trx: Trx, { id }: ImportRow) {
  await sql`update imports set is_undone = not is_undone where id in (${before(id)})`.execute(trx)
}
