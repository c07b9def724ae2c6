import { OPERATION_ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import {
  type OperationQuery,
  type OperationRows,
  type OperationRowsQuery,
  operationList,
} from '@watchdesk/contract/operations/operations'
import { listPage } from '../../db/list.ts'
import { countRows, readRows } from '../../db/row-sets.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { conditionsOf } from './filter.ts'
import { CHANGED_COUNT, selectOperations } from './select.ts'

type Parts = Pick<Deps, 'db' | 'read' | 'inSnapshot' | 'kinds'>

export function operationsStore({ db, read, inSnapshot, kinds }: Parts) {
  return { list, get, rows, rowSet }

  function list(query: OperationQuery) {
    return listPage(read, {
      table: 'operations',
      options: operationList,
      query,
      filters: conditionsOf(query),
      rows: (id) => selectOperations(db, kinds).where('operations.id', '=', id),
    })
  }

  async function get(id: number) {
    const [row] = await read(selectOperations(db, kinds).where('operations.id', '=', id))
    return found(row, 'Import')
  }

  /** The kept rows of an import, with their columns and the number of rows by outcome. */
  async function rowSet(id: number) {
    const query = db
      .selectFrom('operations')
      .leftJoin('row_sets', 'row_sets.id', 'operations.rows_id')
      .select(['operations.id', 'operations.kind', 'operations.name', 'operations.rows_id', 'operations.details'])
      .select(CHANGED_COUNT.as('changed_count'))
      .select(['row_sets.header', 'row_sets.row_count', 'row_sets.outcomes'])
      .where('operations.id', '=', id)
    const [row] = await read(query)
    const { header, row_count, ...others } = found(row, 'Import')
    return { ...others, header: header ?? [], row_count: row_count ?? 0 }
  }

  /** The rows of a set never change, so they need not be of the same snapshot as the import. */
  async function rows(id: number, query: OperationRowsQuery): Promise<OperationRows> {
    const { offset = 0, limit = OPERATION_ROWS_AT_ONCE, outcome: outcomes } = query
    const { rows_id, header, changed_count, kind, ...counts } = await rowSet(id)
    const { changed } = kinds[kind]
    if (changed && changed_count !== null) {
      if (outcomes) return { header: changed.header, rows: [], total: 0 }
      const rows = await inSnapshot((snapshot) => changed.read(snapshot, counts, { offset, limit }))
      return { header: changed.header, rows, total: changed_count }
    }
    const total = countRows(counts, outcomes)
    if (rows_id === null) return { header, rows: [], total }
    const rows = await inSnapshot((snapshot) => readRows(snapshot, rows_id, { offset, limit, outcomes, total }))
    return { header, rows, total }
  }
}
