import * as contract from '@watchdesk/contract/users-import'
import * as schemas from '@watchdesk/contract/users-import.schema'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { findUsers } from './find.ts'
import { importUsers } from './store.ts'

const endpoints = withSchemas(contract, schemas)
const api = confirmingSession(endpoints)

export function usersImportRoutes(app: App, deps: Deps) {
  app.route({
    ...api.findUsers,
    handler: async ({ actor, body }) => ({ objects: await findUsers(deps.read, actor, body.emails) }),
  })
  app.route({
    ...endpoints.importUsers,
    handler: ({ actor, body, headers }) => importUsers(deps, actor, body, headers['idempotency-key']),
  })
}
