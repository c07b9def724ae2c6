import * as contract from '@watchdesk/contract/audit'
import * as schemas from '@watchdesk/contract/audit.schema'
import type { App, Deps } from '../../deps.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { auditStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function auditRoutes(app: App, { db }: Deps) {
  const events = auditStore(db)

  app.route({ ...api.listAuditEvents, handler: ({ query }) => events.list(query) })
}
