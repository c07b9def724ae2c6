import * as contract from '@watchdesk/contract/users-import'
import * as schemas from '@watchdesk/contract/users-import.schema'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { consoleAddress } from '../../plugins/console-address.ts'
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
    handler: (request) =>
      importUsers(deps, request.actor, request.body, {
        key: request.headers['idempotency-key'],
        consoleAddress: consoleAddress(deps.env, request),
      }),
  })
}
