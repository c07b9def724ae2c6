import type { Undo, UndoPreview } from '@watchdesk/contract/imports'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import type { Env } from '../../env.ts'

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

export type ImportRow = Selectable<Tables['imports']>

/** How the changes of one kind of import are undone. */
export type UndoKind = {
  entity: 'sources' | 'stories' | 'sheet' | 'users' | 'workspaces' | 'dashboards'
  /** Selects a row for each change that is undone, if undoing takes longer the more there are. */
  changes?: (chain: Chain) => RawBuilder<unknown>
  /** Throws if the caller must not undo these changes now. Not called for a job, which was allowed when it was created. */
  check?(trx: Trx, actor: Actor, chain: Chain, changed: Undo['changed']): Promise<void>
  /** What undoing would do now. */
  preview(db: Db, actor: Actor, chain: Chain): Promise<UndoPreview>
  /** Undoes the changes in the transaction of the undo, and keeps what it changes itself under the id of the undo. */
  undo(
    trx: Trx,
    actor: Actor,
    chain: Chain,
    import_id: number,
    changed: Undo['changed'],
    options: UndoOptions,
  ): Promise<Effects>
}

/** The import or undo that is undone, and the import itself or the one that was undone. */
export type Chain = { first: ImportRow; target: ImportRow }

/** `left` is the number of rows that changed since and were left alone. */
export type Effects = UndoPreview['effects'] & {
  left: number
  sheet?: { id: number; title: string; version: number }
  /** What has to know the event of the undo, which is written first. */
  afterEvent?: (event_id: number) => Promise<void>
}

export type UndoOptions = {
  env: Pick<Env, 'SMTP_URL'>
  /** Whether an attempt before this one found that somebody had changed a record meanwhile. */
  locksFirst: boolean
  progress: (done: number) => void
}

export const NO_EFFECTS: UndoPreview['effects'] = {
  sources_removed: 0,
  sources_put_back: 0,
  sources_restored: 0,
  stories_removed: 0,
  stories_restored: 0,
  narratives_removed: 0,
  sheet_rows_put_back: 0,
  users_put_back: 0,
  users_restored: 0,
  users_deleted: 0,
  workspaces_put_back: 0,
  workspaces_restored: 0,
  workspaces_deleted: 0,
  dashboards_restored: 0,
  dashboards_deleted: 0,
}
