import * as api from '@watchdesk/contract/workspaces'
import { type Backend, Refusal } from './backend.ts'
import { aWorkspace } from './records.ts'
import { answerList } from './test.ts'

/** Workspaces that are created, edited and deleted like the real ones: an edit of an old version is rejected. */
export function keepWorkspaces(backend: Backend, ...rows: api.Workspace[]) {
  const indexOf = ({ id }: Record<string, string>) => rows.findIndex((row) => String(row.id) === id)
  answerList(backend, api.listWorkspaces, rows, api.getWorkspace)
  backend.answer(api.createWorkspace, ({ body }) => {
    const created = workspaceOf(body, { id: 100 + rows.length, version: 1 })
    rows.push(created)
    return created
  })
  backend.answer(api.updateWorkspace, ({ params, headers, body }) => {
    const row = rows[indexOf(params)]
    if (!row) return new Refusal(404, 'Workspace not found.')
    if (headers['if-match'] !== `"${row.version}"`) {
      return new Refusal(412, `This workspace was changed by Vera Moroz at ${new Date().toISOString()}.`)
    }
    const updated = workspaceOf(body, { id: row.id, version: row.version + 1 })
    rows[indexOf(params)] = updated
    return updated
  })
  backend.answer(api.deleteWorkspace, ({ params }) => {
    rows.splice(indexOf(params), 1)
  })
  backend.answer(api.workspaceImpact, NOBODY)
  return rows
}

/** Vera saves the only workspace meanwhile. */
export function saveAsVera(rows: api.Workspace[], { config, ...changes }: Parameters<typeof aWorkspace>[0] = {}) {
  const [row = aWorkspace()] = rows
  rows[0] = aWorkspace({ ...row, ...changes, version: row.version + 1, config: { ...row.config, ...config } })
}

const NOBODY: api.WorkspaceImpact = {
  users: 0,
  admins: 0,
  admin_names: [],
  dashboards: 0,
  last_activity_at: null,
}

function workspaceOf(body: api.WorkspaceBody, { id, version }: Pick<api.Workspace, 'id' | 'version'>) {
  const { name, description = '', status = null, trial_end_date = null, analytical_quota, ai_quota, ...config } = body
  return aWorkspace({ id, version, name, description, status, trial_end_date, analytical_quota, ai_quota, config })
}
