import { WorkspaceBody } from '@watchdesk/contract/workspaces.schema'
import type { Deps } from '../../deps.ts'
import { checkModel, type EarlierFields, fieldsOf, without } from '../activity/record-kind.ts'
import { liveDashboards } from './dashboards.ts'
import { OFFERED, refusal } from './rules.ts'
import { workspacesStore } from './store.ts'

const NAMES = { roles: 'role', featureflags: 'feature flag', available_case_types: 'case type' }

function isNames(field: string): field is keyof typeof NAMES {
  return Object.hasOwn(NAMES, field)
}

type Trial = { status: string | null }

/** How fields of a workspace are put back. */
export function workspaceFields(deps: Deps): EarlierFields {
  const { db, read, catalog } = deps
  const workspaces = workspacesStore(deps)
  return fieldsOf(WorkspaceBody, {
    async get(id, actor) {
      const workspace = await workspaces.get(actor, id)
      return workspace && { ...workspace, ...workspace.config }
    },
    update: workspaces.update,
    isWhole: true,
    async check(actor, { id, values }, field, then) {
      if (isNames(field))
        return without(then[field], values[field], catalog[OFFERED[field]], (name) => `${NAMES[field]} ${name}`)
      if (field === 'status') return { problem: refusal(actor, { ...(values as Trial), id }, then as Trial)?.message }
      if (field === 'stories_vectors_model') return checkModel(catalog, then[field])
      if (field === 'powerbi_dashboards') {
        const ids = Array.isArray(then[field]) ? then[field] : []
        const existing = (await read(liveDashboards(db, ids))).map(({ id }) => id)
        return without(ids, [], existing, (id) => `dashboard ${id}`)
      }
      return {}
    },
  })
}
