import * as contract from '@watchdesk/contract/users-import'
import * as schemas from '@watchdesk/contract/users-import.schema'
import type { Deps } from '../../deps.ts'
import { consoleAddress } from '../../plugins/console-address.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { findUsers, importUsers } from './store.ts'

export function usersImportRoutes(app: App, deps: Deps) {
  addRoutes(app, contract, schemas, {
    findUsers: async ({ actor, body }) => ({ objects: await findUsers(deps.read, actor, body.emails) }),
    importUsers: (request) =>
      importUsers(deps, request.actor, request.body, {
        key: request.headers['idempotency-key'],
        consoleAddress: consoleAddress(deps.env, request),
      }),
  })
}
