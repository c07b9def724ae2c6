import * as contract from '@watchdesk/contract/bin'
import * as schemas from '@watchdesk/contract/bin.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { listBin, listEmailClashes } from './list.ts'
import { removeFromBin } from './remove.ts'
import { restoreMany } from './restore.ts'

export function binRoutes(app: App, deps: Deps) {
  addRoutes(app, contract, schemas, {
    listBin: ({ actor, query }) => listBin(deps, actor, query),
    listEmailClashes: ({ params }) => listEmailClashes(deps, params.id),
    restoreFromBin: async ({ actor, body }) => ({ outcomes: await restoreMany(deps, actor, body.records) }),
    removeFromBin: ({ actor, body }) => removeFromBin(deps, actor, body),
  })
}
