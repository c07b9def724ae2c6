import { BATCH_CELLS, LIMITS, TableError, type TableRow } from './tables.ts'

/** Collects rows into batches, leaves out what is blank, and stops what no spreadsheet can hold. */
export function createBatch() {
  let rows: TableRow[] = []
  let size = 0
  let total = 0

  function* rest() {
    if (rows.length > 0) yield rows
    rows = []
    size = 0
  }

  return {
    add({ row, cells }: TableRow) {
      if (row > LIMITS.rows) throw new TableError(`The file has more than ${count(LIMITS.rows)} rows. Split it.`)
      if (cells.length > LIMITS.columns) {
        throw new TableError(`Row ${row} has more than ${count(LIMITS.columns)} columns.`)
      }
      while (cells.length > 0 && cells[cells.length - 1]?.trim() === '') cells.pop()
      if (cells.length === 0) return
      total += cells.length
      if (total > LIMITS.cells) throw new TableError(`The file has more than ${count(LIMITS.cells)} cells.`)
      size += cells.length
      rows.push({ row, cells })
    },
    /** The batch, if it is worth handing on. */
    *full() {
      if (size >= BATCH_CELLS) yield* rest()
    },
    rest,
  }
}

function count(number: number) {
  return number.toLocaleString('en')
}
