import * as contract from '@watchdesk/contract/dashboards'
import * as schemas from '@watchdesk/contract/dashboards.schema'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { found } from '../../problem.ts'
import { dashboardsStore } from './store.ts'

const api = confirmingSession(withSchemas(contract, schemas))

export function dashboardsRoutes(app: App, deps: Deps) {
  const dashboards = dashboardsStore(deps)

  app.route({ ...api.listDashboards, handler: ({ actor }) => dashboards.list(actor) })
  app.route({
    ...api.getDashboard,
    handler: async ({ actor, params }) => found(await dashboards.get(actor, params.id), 'Dashboard'),
  })
  app.route({ ...api.createDashboard, handler: ({ actor, body }) => dashboards.create(actor, body) })
  app.route({
    ...api.updateDashboard,
    handler: ({ actor, params, body, headers }) => dashboards.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...api.deleteDashboard,
    handler: ({ actor, params, headers }) => dashboards.remove(actor, params.id, headers['if-match']),
  })
  app.route({ ...api.restoreDashboard, handler: ({ actor, params }) => dashboards.restore(actor, params.id) })
}
