import * as contract from '@watchdesk/contract/auth/tokens'
import * as schemas from '@watchdesk/contract/auth/tokens.schema'
import type { Deps } from '../../../deps.ts'
import { type App, withSchemas } from '../../../plugins/contract.ts'
import { tokensStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function tokensRoutes(app: App, deps: Deps) {
  const tokens = tokensStore(deps)

  app.route({ ...api.listTokens, handler: ({ actor }) => tokens.list(actor) })
  app.route({ ...api.createToken, handler: ({ actor, body }) => tokens.create(actor, body) })
  app.route({ ...api.deleteToken, handler: ({ actor, params }) => tokens.remove(actor, params.id) })
}
