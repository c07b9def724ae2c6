import type { Undo, UndoPreview } from '@watchdesk/contract/imports'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

/** Exports change nothing that could be undone. Neither does a job whose sources others have changed in the same way. */
export const UNDOABLE = sql<boolean>`(imports.state = 'done' and imports.kind <> 'export' and not imports.is_purged
  and not (imports.kind = 'sources_change' and imports.counts ->> 'changed' = '0'))`

export type ImportRow = Selectable<Tables['imports']>

/** How the changes of one kind of import are undone. */
export type UndoKind = {
  entity: 'sources' | 'stories' | 'sheet'
  /** Selects a row for each change that is undone, if undoing takes longer the more there are. */
  changes?: (chain: Chain) => RawBuilder<unknown>
  /** What undoing would do now. */
  preview(db: Db, chain: Chain): Promise<UndoPreview>
  /** Undoes the changes in the transaction of the undo, and keeps what it changes itself under the id of the undo. */
  undo(trx: Trx, actor: Actor, chain: Chain, import_id: number, changed: Undo['changed']): Promise<Effects>
}

/** An import, and what has been undone and done again since. */
export type Chain = { first: ImportRow; target: ImportRow }

/** `left` is the number of rows that changed since and were left alone. */
export type Effects = UndoPreview['effects'] & {
  left: number
  sheet?: { id: number; title: string; version: number }
}

export const NO_EFFECTS: UndoPreview['effects'] = {
  sources_removed: 0,
  sources_put_back: 0,
  sources_restored: 0,
  stories_removed: 0,
  stories_restored: 0,
  narratives_removed: 0,
  sheet_rows_put_back: 0,
}
