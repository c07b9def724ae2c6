import { type RawBuilder, sql } from 'kysely'

const isLive = sql<boolean>`powerbi_dashboards.deleted_at is null`

/** The ids of the dashboards that a row of `workspaces` lists, in their order. Reads from tables or CTEs of these names. */
export function listedDashboards(isListed: RawBuilder<unknown> = isLive) {
  return sql<number[]>`coalesce((
    select jsonb_agg(places.dashboard_id order by places.position, places.dashboard_id)
    from workspace_dashboards places join powerbi_dashboards on powerbi_dashboards.id = places.dashboard_id
    where places.workspace_id = workspaces.id and ${isListed}), '[]')`
}
