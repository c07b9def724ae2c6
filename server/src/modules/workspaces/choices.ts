import type { WorkspaceBody } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import type { Trx } from '../../db/open.ts'
import { invalid } from '../../problem.ts'
import type { Catalog } from '../catalog/catalog.ts'

type Chosen = Pick<
  Required<WorkspaceBody>,
  'roles' | 'featureflags' | 'available_case_types' | 'stories_vectors_model' | 'powerbi_dashboards'
>

/**
 * Every chosen value must be in the catalog. Values that the workspace already has are kept even if they left the
 * catalog, otherwise an unrelated edit could not be saved. `dashboards` are those that exist.
 */
export function checkChoices(catalog: Catalog, chosen: Chosen, dashboards: number[], held?: Chosen) {
  checkNames('roles', catalog.all_roles, chosen, held)
  checkNames('featureflags', catalog.all_featureflags, chosen, held)
  checkNames('available_case_types', catalog.case_types, chosen, held)
  const model = chosen.stories_vectors_model
  if (model && model !== held?.stories_vectors_model && !Object.values(catalog.vectorization_models).includes(model)) {
    throw invalid('stories_vectors_model', `${model} is not one of the stories vectors models.`)
  }
  const missing = chosen.powerbi_dashboards.find((id) => !dashboards.includes(id))
  if (missing !== undefined) throw invalid('powerbi_dashboards', `Dashboard ${missing} does not exist.`)
}

function checkNames(
  field: 'roles' | 'featureflags' | 'available_case_types',
  offered: string[],
  chosen: Chosen,
  held: Chosen | undefined,
) {
  const strange = chosen[field].find((name) => !offered.includes(name) && !held?.[field].includes(name))
  if (strange !== undefined) throw invalid(field, `${strange} is not a valid choice for ${field}.`)
}

/**
 * Returns the dashboards that exist, and locks them against deletion until the commit. Called before locking the
 * workspace, because deleting a dashboard locks the dashboard first and then the workspaces that list it.
 */
export async function holdDashboards(trx: Trx, ids: number[]) {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom('powerbi_dashboards')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.map((row) => row.id)
}
