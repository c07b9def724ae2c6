import * as contract from '@watchdesk/contract/workspaces'
import * as schemas from '@watchdesk/contract/workspaces.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { datedTitle, sendTable } from '../../plugins/send-table.ts'
import { found } from '../../problem.ts'
import { workspacesFile } from './file.ts'
import { workspacesStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function workspacesRoutes(app: App, deps: Deps) {
  const workspaces = workspacesStore(deps)

  app.route({ ...api.listWorkspaces, handler: ({ actor, query }) => workspaces.list(actor, query) })
  app.route({
    ...api.downloadWorkspaces,
    handler: async ({ actor, query, readPart }, reply) => {
      const file = await readPart(() => workspacesFile(deps, actor, query))
      return sendTable(reply, query.format, { title: datedTitle('workspaces'), ...file })
    },
  })
  app.route({
    ...api.getWorkspace,
    handler: async ({ actor, params }) => found(await workspaces.get(actor, params.id), 'Workspace'),
  })
  app.route({ ...api.workspaceImpact, handler: ({ params }) => workspaces.impact(params.id) })
  app.route({ ...api.createWorkspace, handler: ({ actor, body }) => workspaces.create(actor, body) })
  app.route({
    ...api.updateWorkspace,
    handler: ({ actor, params, body, headers }) => workspaces.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...api.deleteWorkspace,
    handler: ({ actor, params, headers }) => workspaces.remove(actor, params.id, headers['if-match']),
  })
  app.route({
    ...api.restoreWorkspace,
    handler: ({ actor, params, body }) => workspaces.restore(actor, params.id, { emails: body?.emails }),
  })
}
