import type { BulkRecordsQuery } from '@watchdesk/contract/operations/changes'
import { longReads } from '../../../db/long-read.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../plugins/contract.ts'
import type { OperationKind } from '../kind.ts'
import { bulkChangeJob, changeMany } from './change.ts'
import { type BulkAction, type BulkBody, type BulkKind, changesRecords, type Expected } from './kind.ts'
import { previewChange, previewRecords } from './preview.ts'
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

function changeRoutes(app: App, deps: Deps, kind: BulkKind) {
  const { preview, list, change } = kind.endpoints
  const reading = longReads(deps)

  app.route({
    ...preview,
    handler: ({ actor, body }) =>
      reading(actor, async (db) => (await previewChange(db, actor, kind, body as BulkBody)).preview),
  })
  app.route({
    ...list,
    handler: ({ actor, body }) =>
      reading(actor, (db) => previewRecords(db, actor, kind, body as BulkBody & BulkRecordsQuery)),
  })
  app.route({
    ...change,
    handler: (request) => {
      const { expected_count, expected_changed_count, expected_checksum, ...body } = request.body as BulkBody & Expected
      const expected = { expected_count, expected_changed_count, expected_checksum }
      return changeMany(deps, request, kind, { body, expected })
    },
  })
}
