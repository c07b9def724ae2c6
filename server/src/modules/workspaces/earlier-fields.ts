import { WorkspaceBody } from '@watchdesk/contract/workspaces.schema'
import type { Deps } from '../../deps.ts'
import { checkModel, type EarlierFields, parse, without } from '../activity/record-kind.ts'
import { liveDashboards } from './choices.ts'
import { refusal } from './rules.ts'
import { workspacesStore } from './store.ts'

type Trial = { status: string | null }

/** How fields of a workspace are put back. */
export function workspaceFields(deps: Deps): EarlierFields {
  const { db, read, catalog } = deps
  const workspaces = workspacesStore(deps)
  const offered: Record<string, { what: string; values: string[] }> = {
    roles: { what: 'role', values: catalog.all_roles },
    featureflags: { what: 'feature flag', values: catalog.all_featureflags },
    available_case_types: { what: 'case type', values: catalog.case_types },
  }
  return {
    async read(actor, id) {
      const workspace = await workspaces.get(actor, id)
      if (!workspace) return undefined
      const { name, description, status, trial_end_date, analytical_quota, ai_quota, version, config } = workspace
      const { tags: _, ...settings } = config
      const top = { name, description, status, trial_end_date, analytical_quota, ai_quota }
      return { id, version, values: { ...top, ...settings } }
    },
    async check(actor, { id, values }, field, then) {
      const choices = offered[field]
      if (choices) return without(then[field], values[field], choices.values, (name) => `${choices.what} ${name}`)
      if (field === 'status') return { problem: refusal(actor, { ...(values as Trial), id }, then as Trial)?.message }
      if (field === 'stories_vectors_model') return checkModel(catalog, then[field])
      if (field === 'powerbi_dashboards') {
        const ids = Array.isArray(then[field]) ? then[field] : []
        const existing = (await read(liveDashboards(db, ids))).map(({ id }) => id)
        return without(ids, [], existing, (id) => `dashboard ${id}`)
      }
      return {}
    },
    async write(actor, id, changed, all, ifMatch) {
      const body = parse(WorkspaceBody, { ...all, ...changed })
      return (await workspaces.update(actor, id, body, ifMatch, 'put_back')).version
    },
  }
}
