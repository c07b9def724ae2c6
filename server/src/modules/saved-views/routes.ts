import * as contract from '@watchdesk/contract/saved-views'
import * as schemas from '@watchdesk/contract/saved-views.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { savedViewsStore } from './store.ts'

export function savedViewsRoutes(app: App, deps: Deps) {
  const views = savedViewsStore(deps)

  addRoutes(app, contract, schemas, {
    listSavedViews: async ({ actor, query }) => ({ objects: await views.list(actor, query.list) }),
    createSavedView: ({ actor, body }) => views.create(actor, body),
    updateSavedView: ({ actor, body }) => views.update(actor, body),
    deleteSavedView: ({ actor, query }) => views.remove(actor, query),
    chooseColumns: ({ actor, body }) => views.chooseColumns(actor, body),
  })
}
