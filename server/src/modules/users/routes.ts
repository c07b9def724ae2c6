import * as session from '@watchdesk/contract/session'
import * as sessionSchemas from '@watchdesk/contract/session.schema'
import * as contract from '@watchdesk/contract/users'
import * as schemas from '@watchdesk/contract/users.schema'
import type { App, Deps } from '../../deps.ts'
import { confirmsSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { found } from '../../problem.ts'
import { usersStore } from './store.ts'

const api = withSchemas(contract, schemas)
const { currentUser } = withSchemas(session, sessionSchemas)

export function usersRoutes(app: App, deps: Deps) {
  const users = usersStore(deps)

  app.route({
    ...confirmsSession(currentUser),
    handler: async ({ actor }) => found(await users.get(actor, actor.id), 'User'),
  })
  app.route({ ...api.listUsers, handler: ({ actor, query }) => users.list(actor, query) })
  app.route({ ...confirmsSession(api.getUser), handler: ({ actor, params }) => users.getDetails(actor, params.id) })
  app.route({ ...confirmsSession(api.createUser), handler: ({ actor, body }) => users.create(actor, body) })
  app.route({
    ...confirmsSession(api.updateUser),
    handler: ({ actor, params, body, headers }) => users.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...confirmsSession(api.deleteUser),
    handler: ({ actor, params, headers }) => users.remove(actor, params.id, headers['if-match']),
  })
  app.route({ ...confirmsSession(api.restoreUser), handler: ({ actor, params }) => users.restore(actor, params.id) })
  app.route({ ...confirmsSession(api.unlockUser), handler: ({ actor, params }) => users.unlock(actor, params.id) })
}
