import * as contract from '@watchdesk/contract/saved-views'
import * as schemas from '@watchdesk/contract/saved-views.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { savedViewsStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function savedViewsRoutes(app: App, deps: Deps) {
  const views = savedViewsStore(deps)

  app.route({
    ...api.listSavedViews,
    handler: async ({ actor, query }) => ({ objects: await views.list(actor, query.list) }),
  })
  app.route({ ...api.createSavedView, handler: ({ actor, body }) => views.create(actor, body) })
  app.route({ ...api.updateSavedView, handler: ({ actor, body }) => views.update(actor, body) })
  app.route({ ...api.deleteSavedView, handler: ({ actor, query }) => views.remove(actor, query) })
  app.route({ ...api.chooseColumns, handler: ({ actor, body }) => views.chooseColumns(actor, body) })
}
