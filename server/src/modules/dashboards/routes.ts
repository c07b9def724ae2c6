import * as contract from '@watchdesk/contract/dashboards'
import * as schemas from '@watchdesk/contract/dashboards.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { untilClosed } from '../../plugins/downloads.ts'
import { found } from '../../problem.ts'
import { checkLinks } from './check-links.ts'
import { dashboardsStore } from './store.ts'
import { dashboardWorkspaces } from './workspaces.ts'

const api = withSchemas(contract, schemas)

export function dashboardsRoutes(app: App, deps: Deps) {
  const dashboards = dashboardsStore(deps)
  const workspaces = dashboardWorkspaces(deps)

  app.route({ ...api.listDashboards, handler: () => dashboards.list() })
  app.route({
    ...api.getDashboard,
    handler: async ({ params }) => found(await dashboards.get(params.id), 'Dashboard'),
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
  app.route({
    ...api.checkDashboardLinks,
    handler: ({ actor, body }, reply) => checkLinks(deps, actor, body, untilClosed(reply.raw)),
  })
  app.route({
    ...api.listDashboardWorkspaces,
    handler: ({ params, query }) => workspaces.list(params.id, query),
  })
  app.route({
    ...api.changeDashboardWorkspaces,
    handler: ({ actor, params, body }) => workspaces.change(actor, params.id, body),
  })
}
