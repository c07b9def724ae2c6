import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { Operation, OperationRows, UndoPreview as Preview, Undo } from '@watchdesk/contract/operations/operations'
import { UndoPreview } from '@watchdesk/contract/operations/operations.schema'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps, ServerDeps } from '../../deps.ts'
import type { Env } from '../../env.ts'
import type { JobKind } from '../../jobs/kind.ts'
import type { App } from '../../plugins/contract.ts'
import type { Run } from './many-rows.ts'

export type OperationKind = {
  /** How it is undone, or why it cannot be. An undo is undone like the operation itself. */
  undo?: UndoKind | string
  /** Actions that leave the records as they are, so that nothing can be undone. */
  leavesRecords?: string[]
  job?(parts: JobParts): JobKind
  routes?(app: App, deps: Deps): void
  /** Selects the `checksum` of each row that it stored, and whether somebody changed it since, as `is_changed`. */
  stored?(id: number): RawBuilder<unknown>
  /** The rows of one that keeps none, because they follow from what it changed. */
  changed?: {
    header: string[]
    read(db: Db, operation: Changed, range: { offset: number; limit: number }): Promise<OperationRows['rows']>
  }
}

export type OperationKinds = Record<OperationKindName, OperationKind>

export type JobParts = Pick<ServerDeps, 'env' | 'db' | 'sheets' | 'rights' | 'verify' | 'kinds'>

type Changed = Pick<Operation, 'id'> & { details: Record<string, unknown> }

export type OperationRow = Selectable<Tables['operations']>

export type UndoKind = {
  entity: 'sources' | 'stories' | 'sheet' | 'users' | 'workspaces' | 'dashboards'
  /** Selects a row for each change that is undone. */
  changes(target: OperationRow): RawBuilder<unknown>
  /** Throws if the caller must not have these changes undone in the background. */
  check?(trx: Trx, actor: Actor, chain: Chain, changed: Undo['changed']): Promise<void>
  preview(db: Db, actor: Actor, chain: Chain): Promise<Preview>
  /** Undoes the changes in the transaction of the undo, and keeps what it changes itself under the id of the undo. */
  undo(trx: Trx, actor: Actor, asked: UndoRun): Promise<Effects>
  /** Why nothing was undone if all records changed since. */
  allChanged?: string | undefined
}

/** The import or undo that is undone, the import itself or the one that was undone, and how that is undone. */
export type Chain = { target: OperationRow; first: OperationRow; kind: UndoKind }

export function savedChanges({ id }: OperationRow) {
  return sql`select record_id as id, before, after from operation_changes where operation_id = ${id}`
}

/** `left` is the number of rows that changed since and were left alone. */
export type Effects = Preview['effects'] & {
  left: number
  sheet?: { id: number; title: string; version: number }
  /** What has to know the event of the undo, which is written first. */
  afterEvent?: (event_id: number) => Promise<void>
}

export type UndoRun = Run &
  Pick<Undo, 'changed'> & {
    chain: Chain
    operation_id: number
    env: Pick<Env, 'SMTP_URL'>
  }

const EFFECTS = Object.keys(UndoPreview.shape.effects.shape)
export const NO_EFFECTS = Object.fromEntries(EFFECTS.map((effect) => [effect, 0])) as Preview['effects']

export function notUndone(problem: string): Preview {
  return { effects: NO_EFFECTS, changed_count: 0, changed: [], gone_count: 0, problem }
}
