import { Readable } from 'node:stream'
import * as contract from '@watchdesk/contract/activity'
import * as schemas from '@watchdesk/contract/activity.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { auditFile } from './file.ts'
import { putBackStore } from './put-back.ts'
import { auditStore } from './store.ts'

export function auditRoutes(app: App, deps: Deps) {
  const events = auditStore(deps)
  const earlier = putBackStore(deps)

  addRoutes(app, contract, schemas, {
    listAuditEvents: ({ actor, query }) => events.list(actor, query),
    countNewEvents: ({ actor, query }) => events.countNew(actor, query),
    getAuditEvent: ({ actor, params }) => events.get(actor, params.id),
    async downloadAuditEvents({ actor, query, readPart }, reply) {
      const { format, ...filters } = query
      await events.noteDownload(actor, query)
      const file = auditFile(format, (before, size) =>
        readPart(async () => {
          // A download may take long, and ends with the rights of the caller.
          await deps.rights.check(actor)
          return events.batch(actor, filters, before, size)
        }),
      )
      const name = `activity-${new Date().toISOString().slice(0, 10)}.${format}`
      reply.header('content-type', contract.EVENT_FILE_TYPES[format])
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(Readable.from(file, { objectMode: false }))
    },
    previewPutBack: ({ actor, params, query }) => earlier.preview(actor, params.id, query.side),
    putBack: ({ actor, params, body, headers }) => earlier.putBack(actor, params.id, body, headers['if-match']),
  })
}
