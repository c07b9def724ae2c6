import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/open.ts'

export const isLive = sql<boolean>`powerbi_dashboards.deleted_at is null`

/** Reads from tables or CTEs of these names. */
export function listedDashboards(isListed: RawBuilder<unknown> = isLive) {
  return sql<number[]>`coalesce((
    select jsonb_agg(places.dashboard_id order by places.position, places.dashboard_id)
    from workspace_dashboards places join powerbi_dashboards on powerbi_dashboards.id = places.dashboard_id
    where places.workspace_id = workspaces.id and ${isListed}), '[]')`
}

export function liveDashboards(db: Db, ids: number[]) {
  const dashboards = db.selectFrom('powerbi_dashboards').select('id').where(isLive)
  return dashboards.where(sql<boolean>`id = any(${ids}::int[])`).orderBy('id')
}

/** Called before locking the workspace: deleting a dashboard locks it first, and then the workspaces that list it. */
export async function lockDashboards(trx: Trx, ids: number[]) {
  if (ids.length === 0) return []
  const locked = await liveDashboards(trx, ids).forShare().execute()
  return locked.map(({ id }) => id)
}

/**
 * `lists` has the `dashboards` of each `workspace_id`, as JSON. Deleted ones keep their positions, so that a restored
 * dashboard is where it was.
 */
export async function setDashboards(trx: Trx, lists: RawBuilder<unknown>) {
  await sql`delete from workspace_dashboards using powerbi_dashboards, (${lists}) as lists
    where workspace_dashboards.workspace_id = lists.workspace_id and powerbi_dashboards.id = dashboard_id and ${isLive}`.execute(
    trx,
  )
  // An undo finds some of them deleted, maybe for good.
  await sql`insert into workspace_dashboards (workspace_id, dashboard_id, position)
    select lists.workspace_id, powerbi_dashboards.id, rank - 1
    from (${lists}) as lists cross join lateral jsonb_array_elements_text(lists.dashboards)
      with ordinality as listed (dashboard_id, rank)
    join powerbi_dashboards on powerbi_dashboards.id = listed.dashboard_id::int
    on conflict (workspace_id, dashboard_id) do update set position = excluded.position`.execute(trx)
}
