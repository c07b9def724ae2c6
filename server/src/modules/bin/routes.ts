import * as contract from '@watchdesk/contract/bin'
import * as schemas from '@watchdesk/contract/bin.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { listBin, listEmailClashes } from './list.ts'
import { removeFromBin } from './remove.ts'
import { restoreMany } from './restore.ts'

const api = withSchemas(contract, schemas)

export function binRoutes(app: App, deps: Deps) {
  app.route({ ...api.listBin, handler: ({ actor, query }) => listBin(deps, actor, query) })
  app.route({ ...api.listEmailClashes, handler: ({ params }) => listEmailClashes(deps, params.id) })
  app.route({
    ...api.restoreFromBin,
    handler: async ({ actor, body }) => ({ outcomes: await restoreMany(deps, actor, body.records) }),
  })
  app.route({ ...api.removeFromBin, handler: ({ actor, body }) => removeFromBin(deps, actor, body) })
}
