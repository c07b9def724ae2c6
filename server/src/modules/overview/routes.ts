import * as contract from '@watchdesk/contract/overview'
import * as schemas from '@watchdesk/contract/overview.schema'
import type { App, Deps } from '../../deps.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { overviewStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function overviewRoutes(app: App, deps: Deps) {
  const overview = overviewStore(deps)

  app.route({ ...api.getOverview, handler: ({ actor }) => overview.get(actor) })
}
