import * as contract from '@watchdesk/contract/auth/user-access'
import * as schemas from '@watchdesk/contract/auth/user-access.schema'
import type { Deps } from '../../../deps.ts'
import { consoleAddress } from '../../../plugins/console-address.ts'
import { type App, withSchemas } from '../../../plugins/contract.ts'
import { userAccessStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function userAccessRoutes(app: App, deps: Deps) {
  const access = userAccessStore(deps)

  app.route({ ...api.getUserAccess, handler: ({ actor, params }) => access.get(actor, params.id) })
  app.route({
    ...api.endUserSessions,
    handler: ({ actor, params, body }) => access.endUserSessions(actor, params.id, body.session_id),
  })
  app.route({
    ...api.endUserTokens,
    handler: ({ actor, params, body }) => access.endUserTokens(actor, params.id, body.token_id),
  })
  app.route({
    ...api.resetSecondFactor,
    handler: async (request) => {
      const { actor, params, body } = request
      return { invitation: await access.resetSecondFactor(actor, params.id, body, consoleAddress(deps.env, request)) }
    },
  })
}
