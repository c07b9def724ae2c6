import * as contract from '@watchdesk/contract/auth/tokens'
import * as schemas from '@watchdesk/contract/auth/tokens.schema'
import type { Deps } from '../../../deps.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { tokensStore } from './store.ts'

export function tokensRoutes(app: App, deps: Deps) {
  const tokens = tokensStore(deps)

  addRoutes(app, contract, schemas, {
    listTokens: ({ actor }) => tokens.list(actor),
    createToken: ({ actor, body }) => tokens.create(actor, body),
    deleteToken: ({ actor, params }) => tokens.remove(actor, params.id),
  })
}
