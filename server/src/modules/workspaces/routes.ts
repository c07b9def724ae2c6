import * as contract from '@watchdesk/contract/workspaces'
import * as schemas from '@watchdesk/contract/workspaces.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { sendTable } from '../../plugins/send-table.ts'
import { found } from '../../problem.ts'
import { workspacesFile } from './file.ts'
import { workspacesStore } from './store.ts'

export function workspacesRoutes(app: App, deps: Deps) {
  const workspaces = workspacesStore(deps)

  addRoutes(app, contract, schemas, {
    listWorkspaces: ({ actor, query }) => workspaces.list(actor, query),
    async downloadWorkspaces({ actor, query, readPart }, reply) {
      return sendTable(reply, query.format, await readPart(() => workspacesFile(deps, actor, query)))
    },
    getWorkspace: async ({ actor, params }) => found(await workspaces.get(actor, params.id), 'Workspace'),
    workspaceImpact: ({ params }) => workspaces.impact(params.id),
    createWorkspace: ({ actor, body }) => workspaces.create(actor, body),
    updateWorkspace: ({ actor, params, body, headers }) =>
      workspaces.update(actor, params.id, body, headers['if-match']),
    deleteWorkspace: ({ actor, params, headers }) => workspaces.remove(actor, params.id, headers['if-match']),
    restoreWorkspace: ({ actor, params, body }) => workspaces.restore(actor, params.id, { emails: body?.emails }),
  })
}
