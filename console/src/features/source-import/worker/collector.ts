import type { SheetRecord } from '@watchdesk/contract/source-import'
import { isEmptyCell, type SourceTable, sourceTableReader } from '@watchdesk/contract/source-table'
import type { CellValue } from '@watchdesk/contract/xlsx/cell'
import type { TableKind } from '../../../ui/file-reader/sink.ts'

/** Rows as they were read. They become records on demand: a million objects would use too much memory. */
export type Table = SourceTable & {
  values: (readonly CellValue[])[]
  /** `rows[i]` is the spreadsheet's row number of `values[i]`. */
  rows: number[]
}

/** A row by column name, without empty cells. It has no prototype, so that a column may have any name. */
export function recordFrom(keys: Table['keys'], cells: readonly CellValue[]): SheetRecord {
  const record: SheetRecord = Object.create(null)
  for (const [column, key] of keys.entries()) {
    const cell = cells[column]
    if (key !== undefined && !isEmptyCell(cell)) record[key] = cell
  }
  return record
}

/** Keeps the rows of a file. */
export function collector(kind: TableKind) {
  const values: Table['values'] = []
  const rows: number[] = []
  const { add, finish, count } = sourceTableReader(kind, (cells, row) => {
    values.push(cells)
    rows.push(row)
  })
  return {
    add,
    count,
    finish(): Table {
      const { keys, names, notes } = finish()
      return { keys, names, notes, values, rows }
    },
  }
}
