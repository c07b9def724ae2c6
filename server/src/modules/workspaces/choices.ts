import type { WorkspaceBody } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/open.ts'
import { invalid } from '../../problem.ts'
import type { Catalog } from '../catalog/catalog.ts'

type Choices = Pick<
  Required<WorkspaceBody>,
  'roles' | 'featureflags' | 'available_case_types' | 'stories_vectors_model' | 'powerbi_dashboards'
>

/**
 * Every chosen value must be in the catalog. Values that the workspace already has are kept even if they left the
 * catalog, otherwise an unrelated edit could not be saved. `dashboards` are those that exist.
 */
export function checkChoices(catalog: Catalog, chosen: Choices, dashboards: number[], current?: Choices) {
  checkNames('roles', catalog.all_roles, chosen, current)
  checkNames('featureflags', catalog.all_featureflags, chosen, current)
  checkNames('available_case_types', catalog.case_types, chosen, current)
  const model = chosen.stories_vectors_model
  if (
    model &&
    model !== current?.stories_vectors_model &&
    !Object.values(catalog.vectorization_models).includes(model)
  ) {
    throw invalid('stories_vectors_model', `${model} is not one of the stories vectors models.`)
  }
  requireDashboards(chosen.powerbi_dashboards, dashboards)
}

type Names = Partial<Record<'roles' | 'featureflags' | 'available_case_types', string[]>>

/** Of what is chosen in a field, all has to be offered, unless the workspace has it already. */
export function checkNames(field: keyof Names, offered: string[], chosen: Names, current?: Names) {
  const strange = chosen[field]?.find((name) => !offered.includes(name) && !current?.[field]?.includes(name))
  if (strange !== undefined) throw invalid(field, `${strange} is not a valid choice for ${field}.`)
}

export async function checkDashboards(db: Db, ids: number[]) {
  requireDashboards(ids, idsOf(await liveDashboards(db, ids).execute()))
}

function requireDashboards(ids: number[], existing: number[]) {
  const missing = ids.find((id) => !existing.includes(id))
  if (missing !== undefined) throw invalid('powerbi_dashboards', `Dashboard ${missing} does not exist.`)
}

/** The dashboards of these that exist. */
export function liveDashboards(db: Db, ids: number[]) {
  const dashboards = db.selectFrom('powerbi_dashboards').select('id').where('deleted_at', 'is', null)
  return dashboards.where(sql<boolean>`id = any(${ids}::int[])`).orderBy('id')
}

function idsOf(rows: { id: number }[]) {
  return rows.map(({ id }) => id)
}

/**
 * Returns the dashboards that exist, and locks them against deletion until the commit. Called before locking the
 * workspace, because deleting a dashboard locks the dashboard first and then the workspaces that list it.
 */
export async function lockDashboards(trx: Trx, ids: number[]) {
  if (ids.length === 0) return []
  return idsOf(await liveDashboards(trx, ids).forShare().execute())
}
