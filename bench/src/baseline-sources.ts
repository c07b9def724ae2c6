import type { Pool } from 'pg'

const SIZE = 20

const TIME = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const AUTHOR = (users: string) =>
  `case when ${users}.id is not null then json_build_object('id', ${users}.id, 'name', ${users}.full_name) end`

const SOURCE = `select sources.id::int, sources.platform, sources.url, sources.country,
    ${TIME('sources.created_at')} as created_at, ${AUTHOR('creators')} as created_by,
    case when operations.id is not null
      then json_build_object('id', operations.id, 'kind', operations.kind, 'name', operations.name) end as import,
    ${TIME('sources.updated_at')} as updated_at, ${AUTHOR('editors')} as updated_by, sources.version
  from sources left join operations on operations.id = sources.import_id
    left join users creators on creators.id = sources.created_by
    left join users editors on editors.id = sources.updated_by`

const ROWS = 'select sources.id from sources where sources.deleted_at is null and sources.id'
const BEFORE = (column: string) => `count(*) filter (where ${column} is not null and list_changes.id < near.id)`

/** The statement of `server/src/db/list.ts` for a page, newest first: $1 is the offset, $2 the size. */
const LIST_SOURCES = {
  name: 'list-sources',
  text: `with counted as materialized (
      select live + (select count(after) - count(before) from list_changes where list = 'sources') as list_total
      from list_totals where list = 'sources'
    ), bounds as materialized (
      select greatest(list_total - ($1::bigint + $2::bigint), 0) as first, list_total - $1::bigint as stop from counted
    ), place as materialized (
      select id, rank + (select ${BEFORE('after')} - ${BEFORE('before')} from list_changes where list = 'sources') as rank
      from (
        (select rank, id from list_places where list = 'sources' and sort = 'id'
          and rank <= (select first from bounds) order by rank desc, id desc limit 1)
        union all select 0, 0 order by rank desc, id desc limit 1
      ) as near
    )
    select list_total::int, place, rows.* from counted left join (
      (select id, row_number() over (order by id desc) as place from (
        select after_place.* from bounds, place, lateral (${ROWS} >= place.id order by id
          limit greatest(stop - greatest(first, rank), 0) offset greatest(first - rank, 0)) as after_place
        union all select before_place.* from bounds, place, lateral (${ROWS} < place.id order by id desc
          limit greatest(least(stop, rank) - first, 0) offset greatest(rank - stop, 0)) as before_place
        limit 100
      ) as ids) as page
      cross join lateral (${SOURCE} where sources.id = page.id offset 0) as rows
    ) on true order by place`,
}

/** A page of sources with the exact total, in one statement. */
export async function sourcesPage(pool: Pool, page: number) {
  const { rows } = await pool.query({ ...LIST_SOURCES, values: [(page - 1) * SIZE, SIZE] })
  const objects = rows.map(({ list_total: _, place: __, ...source }) => source)
  return { objects, total: rows[0].list_total, size: SIZE }
}

const MATCHING = 'from sources where deleted_at is null and lower(url) like $1'

/** All matches are counted, then the page is read. Without a name: the plan depends on how common the text is. */
export async function foundSources(pool: Pool, search: string) {
  const pattern = `%${search.toLowerCase().replaceAll('_', '\\_')}%`
  const counted = await pool.query(`select count(*)::int as total ${MATCHING}`, [pattern])
  const { rows } = await pool.query(
    `${SOURCE} where sources.id in (select id ${MATCHING} order by id desc limit $2) order by sources.id desc`,
    [pattern, SIZE],
  )
  return { objects: rows, total: counted.rows[0].total, size: SIZE }
}
