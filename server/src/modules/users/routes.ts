import * as session from '@watchdesk/contract/auth/session'
import * as sessionSchemas from '@watchdesk/contract/auth/session.schema'
import * as contract from '@watchdesk/contract/users'
import * as schemas from '@watchdesk/contract/users.schema'
import type { Deps } from '../../deps.ts'
import { consoleAddress } from '../../plugins/console-address.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { sendTable } from '../../plugins/send-table.ts'
import { found } from '../../problem.ts'
import { usersFile } from './file.ts'
import { usersStore } from './store.ts'

export function usersRoutes(app: App, deps: Deps) {
  const users = usersStore(deps)

  addRoutes(app, session, sessionSchemas, { currentUser: ({ actor }) => users.getCurrent(actor) })
  addRoutes(app, contract, schemas, {
    listUsers: ({ actor, query }) => users.list(actor, query),
    async downloadUsers({ actor, query, readPart }, reply) {
      return sendTable(reply, query.format, await readPart(() => usersFile(deps, actor, query)))
    },
    getUser: async ({ actor, params }) => found(await users.get(actor, params.id), 'User'),
    createUser: (request) => users.create(request.actor, request.body, consoleAddress(deps.env, request)),
    updateUser: ({ actor, params, body, headers }) => users.update(actor, params.id, body, headers['if-match']),
    deleteUser: ({ actor, params, headers }) => users.remove(actor, params.id, headers['if-match']),
    restoreUser: ({ actor, params, body }) => users.restore(actor, params.id, { email: body?.email }),
    inviteUser: (request) => users.inviteAgain(request.actor, request.params.id, consoleAddress(deps.env, request)),
    unlockUser: ({ actor, params }) => users.unlock(actor, params.id),
  })
}
