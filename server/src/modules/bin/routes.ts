import * as contract from '@watchdesk/contract/bin'
import * as schemas from '@watchdesk/contract/bin.schema'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { listBin } from './list.ts'

const api = confirmingSession(withSchemas(contract, schemas))

export function binRoutes(app: App, deps: Deps) {
  app.route({ ...api.listBin, handler: ({ actor, query }) => listBin(deps.read, actor, query) })
}
