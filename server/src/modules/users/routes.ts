import * as session from '@watchdesk/contract/auth/session'
import * as sessionSchemas from '@watchdesk/contract/auth/session.schema'
import * as contract from '@watchdesk/contract/users'
import * as schemas from '@watchdesk/contract/users.schema'
import type { Deps } from '../../deps.ts'
import { consoleAddress } from '../../plugins/console-address.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { datedTitle, sendTable } from '../../plugins/send-table.ts'
import { usersFile } from './file.ts'
import { usersStore } from './store.ts'

const api = withSchemas(contract, schemas)
const { currentUser } = withSchemas(session, sessionSchemas)

export function usersRoutes(app: App, deps: Deps) {
  const users = usersStore(deps)

  app.route({ ...currentUser, handler: ({ actor }) => users.getCurrent(actor) })
  app.route({ ...api.listUsers, handler: ({ actor, query }) => users.list(actor, query) })
  app.route({
    ...api.downloadUsers,
    handler: async ({ actor, query, readPart }, reply) => {
      const file = await readPart(() => usersFile(deps, actor, query))
      return sendTable(reply, query.format, { title: datedTitle('users'), ...file })
    },
  })
  app.route({ ...api.getUser, handler: ({ actor, params }) => users.getDetails(actor, params.id) })
  app.route({
    ...api.createUser,
    handler: (request) => users.create(request.actor, request.body, consoleAddress(deps.env, request)),
  })
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
  app.route({
    ...api.inviteUser,
    handler: (request) => users.inviteAgain(request.actor, request.params.id, consoleAddress(deps.env, request)),
  })
  app.route({ ...api.unlockUser, handler: ({ actor, params }) => users.unlock(actor, params.id) })
}
