import { OPERATION_ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import {
  type Operation,
  type OperationQuery,
  type OperationRows,
  type OperationRowsQuery,
  operationList,
} from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { auditOnce } from '../../db/audit.ts'
import { listPage } from '../../db/list.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { countRows, readRows } from '../sheets/rows.ts'
import { CHANGED_COUNT, CHANGED_HEADER, readChanged } from '../sources/changed-sources.ts'
import { conditionsOf } from './filter.ts'
import { selectOperations } from './select.ts'

type Parts = Pick<Deps, 'db' | 'read' | 'rights' | 'inSnapshot'>

export function operationsStore({ db, read, rights, inSnapshot }: Parts) {
  return { list, get, rows, rowSet, noteDownload }

  function list(query: OperationQuery) {
    return listPage(read, {
      table: 'imports',
      options: operationList,
      query,
      filters: conditionsOf(query),
      rows: (id) => selectOperations(db).where('imports.id', '=', id),
    })
  }

  async function get(id: number) {
    const [row] = await read(selectOperations(db).where('imports.id', '=', id))
    return found(row, 'Import')
  }

  /** The kept rows of an import, with their columns and the number of rows by outcome. */
  async function rowSet(id: number) {
    const query = db
      .selectFrom('imports')
      .leftJoin('row_sets', 'row_sets.id', 'imports.rows_id')
      .select(['imports.id', 'imports.kind', 'imports.name', 'imports.rows_id', 'imports.details'])
      .select(sql<number | null>`${CHANGED_COUNT}`.as('changed_count'))
      .select(['row_sets.header', 'row_sets.row_count', 'row_sets.outcomes'])
      .where('imports.id', '=', id)
    const [row] = await read(query)
    const { header, row_count, ...others } = found(row, 'Import')
    return { ...others, header: header ?? [], row_count: row_count ?? 0 }
  }

  /** The rows of a set never change, so they need not be of the same snapshot as the import. */
  async function rows(id: number, query: OperationRowsQuery): Promise<OperationRows> {
    const { offset = 0, limit = OPERATION_ROWS_AT_ONCE, outcome: outcomes } = query
    const { rows_id, header, changed_count, ...counts } = await rowSet(id)
    if (changed_count !== null) {
      if (outcomes) return { header: CHANGED_HEADER, rows: [], total: 0 }
      const rows = await inSnapshot((snapshot) => readChanged(snapshot, counts, { offset, limit }))
      return { header: CHANGED_HEADER, rows, total: changed_count }
    }
    const total = countRows(counts, outcomes)
    if (rows_id === null) return { header, rows: [], total }
    const rows = await inSnapshot((snapshot) => readRows(snapshot, rows_id, { offset, limit, outcomes, total }))
    return { header, rows, total }
  }

  /** Called before the first byte is sent, so that every download is in the audit log. */
  function noteDownload(actor: Actor, { id, kind, name }: Pick<Operation, 'id' | 'kind' | 'name'>, format: string) {
    const changes = { import_id: { before: null, after: id }, format: { before: null, after: format } }
    const record = name ? { record: { name } } : {}
    const entity = ENTITIES[kind] ?? 'sources'
    const event = { action: 'download', entity, entity_id: id, ...record, changes } as const
    return rights.record(actor, (trx) => auditOnce(trx, actor, `download ${format} of import ${id}`, event))
  }
}

/** What the rows of an import are about, if not sources. */
const ENTITIES: Partial<Record<Operation['kind'], 'stories' | 'users' | 'workspaces' | 'dashboards'>> = {
  stories_import: 'stories',
  users_import: 'users',
  users_change: 'users',
  workspaces_change: 'workspaces',
  dashboards_change: 'dashboards',
}
