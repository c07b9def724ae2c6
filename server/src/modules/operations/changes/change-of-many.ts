import type { OperationKind } from '../kind.ts'
import { bulkChangeJob } from './change.ts'
import { type BulkAction, type BulkKind, changesRecords } from './kind.ts'
import { changeRoutes } from './routes.ts'
import { bulkUndo } from './undo.ts'

/** Changes of many records of one kind, with their calls, their job and their undo. */
export function changeOfMany(kind: BulkKind): OperationKind {
  return {
    undo: bulkUndo(kind),
    leavesRecords: Object.keys(kind.actions).filter((action) => !changesRecords(action as BulkAction)),
    job: ({ env }) => bulkChangeJob(kind, env),
    routes: (app, deps) => changeRoutes(app, deps, kind),
  }
}
