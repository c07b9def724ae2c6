import type { Pool } from 'pg'
import { sliceOf } from './baseline-lists.ts'
import { countOf } from './baseline-sql.ts'

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

/** A page, newest first, read from the start or from the end: $1 is the size, $2 the offset. */
function listSources(isFromEnd: boolean) {
  return {
    name: `list-sources-${isFromEnd ? 'ascending' : 'descending'}`,
    text: `select list_total, rows.* from (${countOf('sources').text}) as counted cross join (
        select id from sources where deleted_at is null order by id ${isFromEnd ? 'asc' : 'desc'} limit $1 offset $2
      ) as page
      cross join lateral (${SOURCE} where sources.id = page.id offset 0) as rows order by page.id desc`,
  }
}

/** A page of sources with the exact total, read from the nearer end. */
export async function sourcesPage(pool: Pool, page: number) {
  const { isFromEnd, values } = await sliceOf(pool, 'sources', page)
  const { rows } = await pool.query({ ...listSources(isFromEnd), values })
  const objects = rows.map(({ list_total: _, ...source }) => source)
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
