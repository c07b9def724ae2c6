import * as api from '@watchdesk/contract/audit'
import type { App, Deps } from '../../deps.ts'
import { auditStore } from './store.ts'

export function auditRoutes(app: App, { db }: Deps) {
  const events = auditStore(db)

  app.route({ ...api.listAuditEvents, handler: ({ query }) => events.list(query) })
}
