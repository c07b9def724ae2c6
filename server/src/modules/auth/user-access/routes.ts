import * as contract from '@watchdesk/contract/auth/user-access'
import * as schemas from '@watchdesk/contract/auth/user-access.schema'
import type { Deps } from '../../../deps.ts'
import { consoleAddress } from '../../../plugins/console-address.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { userAccessStore } from './store.ts'

export function userAccessRoutes(app: App, deps: Deps) {
  const access = userAccessStore(deps)

  addRoutes(app, contract, schemas, {
    getUserAccess: ({ actor, params }) => access.get(actor, params.id),
    endUserSessions: ({ actor, params, body }) => access.end('sessions_ended', actor, params.id, body.session_id),
    endUserTokens: ({ actor, params, body }) => access.end('tokens_ended', actor, params.id, body.token_id),
    async resetSecondFactor(request) {
      const { actor, params, body } = request
      return { invitation: await access.resetSecondFactor(actor, params.id, body, consoleAddress(deps.env, request)) }
    },
  })
}
