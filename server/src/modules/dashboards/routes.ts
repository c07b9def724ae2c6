import * as contract from '@watchdesk/contract/dashboards'
import * as schemas from '@watchdesk/contract/dashboards.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { untilClosed } from '../../plugins/downloads.ts'
import { found } from '../../problem.ts'
import { dashboardsStore } from './store.ts'
import { dashboardWorkspaces } from './workspaces.ts'

export function dashboardsRoutes(app: App, deps: Deps) {
  const dashboards = dashboardsStore(deps)
  const workspaces = dashboardWorkspaces(deps)

  addRoutes(app, contract, schemas, {
    listDashboards: () => dashboards.list(),
    getDashboard: async ({ params }) => found(await dashboards.get(params.id), 'Dashboard'),
    createDashboard: ({ actor, body }) => dashboards.create(actor, body),
    updateDashboard: ({ actor, params, body, headers }) =>
      dashboards.update(actor, params.id, body, headers['if-match']),
    deleteDashboard: ({ actor, params, headers }) => dashboards.remove(actor, params.id, headers['if-match']),
    restoreDashboard: ({ actor, params }) => dashboards.restore(actor, params.id),
    checkDashboardLinks: ({ actor, body }, reply) => dashboards.checkLinks(actor, body, untilClosed(reply.raw)),
    listDashboardWorkspaces: ({ params, query }) => workspaces.list(params.id, query),
    changeDashboardWorkspaces: ({ actor, params, body }) => workspaces.change(actor, params.id, body),
  })
}
