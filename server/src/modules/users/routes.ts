import * as session from '@watchdesk/contract/session'
import * as sessionSchemas from '@watchdesk/contract/session.schema'
import * as contract from '@watchdesk/contract/users'
import * as schemas from '@watchdesk/contract/users.schema'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { found } from '../../problem.ts'
import { usersStore } from './store.ts'

const api = confirmingSession(withSchemas(contract, schemas))
const { currentUser } = confirmingSession(withSchemas(session, sessionSchemas))

export function usersRoutes(app: App, deps: Deps) {
  const users = usersStore(deps)

  app.route({
    ...currentUser,
    handler: async ({ actor }) => found(await users.get(actor, actor.id), 'User'),
  })
  app.route({ ...api.listUsers, handler: ({ actor, query }) => users.list(actor, query) })
  app.route({ ...api.getUser, handler: ({ actor, params }) => users.getDetails(actor, params.id) })
  app.route({ ...api.createUser, handler: ({ actor, body }) => users.create(actor, body) })
  app.route({
    ...api.updateUser,
    handler: ({ actor, params, body, headers }) => users.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...api.deleteUser,
    handler: ({ actor, params, headers }) => users.remove(actor, params.id, headers['if-match']),
  })
  app.route({
    ...api.restoreUser,
    handler: ({ actor, params, body }) => users.restore(actor, params.id, { email: body?.email }),
  })
  app.route({ ...api.unlockUser, handler: ({ actor, params }) => users.unlock(actor, params.id) })
}
