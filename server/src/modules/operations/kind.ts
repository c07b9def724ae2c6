import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { Operation, OperationRows } from '@watchdesk/contract/operations/operations'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Deps, ServerDeps } from '../../deps.ts'
import type { JobKind } from '../../jobs/kind.ts'
import type { App } from '../../plugins/contract.ts'
import type { UndoKind } from './undo-kind.ts'

/** A kind of operation, in the folder of its feature. */
export type OperationKind = {
  /** How it is undone, or why it cannot be. An undo is undone like the operation itself. */
  undo?: UndoKind | string
  /** Actions that leave the records as they are, so that nothing can be undone. */
  leavesRecords?: string[]
  /** Carries it out in the background. */
  job?(parts: JobParts): JobKind
  /** Calls that all operations of this sort have. */
  routes?(app: App, deps: Deps): void
  /** Selects the `checksum` of each row that it stored, and whether somebody changed it since, as `is_changed`. */
  stored?(id: number): RawBuilder<unknown>
  /** The rows of one that keeps none, because they follow from what it changed. */
  changed?: {
    header: string[]
    noFile: string
    read(db: Db, operation: Changed, range: { offset: number; limit: number }): Promise<OperationRows['rows']>
  }
}

export type OperationKinds = Record<OperationKindName, OperationKind>

export type JobParts = Pick<ServerDeps, 'env' | 'db' | 'sheets' | 'rights' | 'verify' | 'kinds'>

type Changed = Pick<Operation, 'id'> & { details: Record<string, unknown> }
