import { type ImportQuery, type ImportRows, type ImportRowsQuery, importList } from '@watchdesk/contract/imports'
import { IMPORT_ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { fittingRows } from '../../adapters/sheets/local.ts'
import { auditOnce } from '../../db/audit.ts'
import { likePart, listPage } from '../../db/list.ts'
import { rowsOf } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { selectImports } from './select.ts'

const PAGE_BYTES = 2_000_000
/** The size of the longest row that can be stored. */
const ROW_BYTES = 4_000_000

type Parts = Pick<Deps, 'db' | 'read' | 'rights' | 'inSnapshot'>

export function importsStore({ db, read, rights, inSnapshot }: Parts) {
  return { list, get, rows, rowSet, noteDownload }

  function list(actor: Actor, query: ImportQuery) {
    const { search, kind, state, created_by, from, to } = query
    return listPage(read, actor, {
      table: 'imports',
      options: importList,
      query,
      filters: [
        search && likePart(sql`lower(coalesce(imports.name, '') || E'\n' || coalesce(imports.sheet_url, ''))`, search),
        kind && sql`imports.kind = ${kind}`,
        state && sql`imports.state = ${state}`,
        created_by && sql`imports.created_by = ${created_by}`,
        from && sql`imports.created_at >= ${from}::date::timestamp at time zone 'UTC'`,
        to && sql`imports.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`,
      ],
      rows: (id) => selectImports(db).where('imports.id', '=', id),
    })
  }

  async function get(actor: Actor, id: number) {
    const [row] = await read(actor, selectImports(db).where('imports.id', '=', id))
    return found(row, 'Import')
  }

  /** The kept rows of an import, with their columns and the number of rows by outcome. */
  async function rowSet(actor: Actor, id: number) {
    const query = db
      .selectFrom('imports')
      .leftJoin('row_sets', 'row_sets.id', 'imports.rows_id')
      .select(['imports.name', 'imports.rows_id', 'row_sets.header', 'row_sets.row_count', 'row_sets.outcomes'])
      .where('imports.id', '=', id)
    const [row] = await read(actor, query)
    const { name, rows_id, header, row_count, outcomes } = found(row, 'Import')
    return { name, rows_id, header: header ?? [], row_count: row_count ?? 0, outcomes }
  }

  /** Returns fewer rows than requested, but at least one, if they are long. */
  async function rows(actor: Actor, id: number, query: ImportRowsQuery): Promise<ImportRows> {
    const { offset = 0, limit = IMPORT_ROWS_AT_ONCE, outcome } = query
    const { rows_id, header, row_count, outcomes } = await rowSet(actor, id)
    const total = outcome ? countOf(outcomes ?? {}, outcome) : row_count
    if (rows_id === null || offset >= total) return { header, rows: [], total }
    const place = outcome
      ? placeAmong(rows_id, outcome, offset, limit)
      : sql`number > ${offset} and number <= ${offset + limit}`
    const wanted = sql`select number, cells from set_rows where set_id = ${rows_id} and ${place}`
    const found = await inSnapshot((snapshot) =>
      rowsOf(
        snapshot,
        sql<ImportRows['rows'][number]>`select * from (
          ${fittingRows(wanted, { bytes: PAGE_BYTES, rowBytes: ROW_BYTES })}) as part order by number`,
      ),
    )
    return { header, rows: found, total }
  }

  /** Called before the first byte is sent, so that every download is in the audit log. */
  function noteDownload(actor: Actor, id: number, name: string | null, format: string) {
    const changes = { import_id: { before: null, after: id }, format: { before: null, after: format } }
    const record = name ? { record: { name } } : {}
    const event = { action: 'download', entity: 'sources', entity_id: id, ...record, changes } as const
    return rights.write(actor, (trx) => auditOnce(trx, actor, `download ${format} of import ${id}`, event))
  }
}

/** The number of rows with one of the outcomes. */
export function countOf(counts: Record<string, number>, outcomes: readonly string[]) {
  return [...new Set(outcomes)].reduce((sum, name) => sum + (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0), 0)
}

function placeAmong(set_id: number, outcomes: readonly string[], offset: number, limit: number): RawBuilder<unknown> {
  return sql`number in (select number from set_rows where set_id = ${set_id} and outcome = any(${[...outcomes]}::text[])
    order by number offset ${offset} limit ${limit})`
}
