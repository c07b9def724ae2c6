import { MAX_COLUMNS, MAX_ROW_LENGTH, MAX_ROWS } from '@watchdesk/contract/limits'
import { TableError, tooManyCells, tooManyRows } from '@watchdesk/contract/table-error'
import { BATCH_CELLS, LIMITS, type TableRow } from './tables.ts'

/** A long cell counts as more than one. */
const CHARACTERS_PER_CELL = 100

/** Groups rows into batches, skips blank rows and enforces the limits. With their width only if that is wanted. */
export function createBatch({ hasWidth = false } = {}) {
  let rows: TableRow[] = []
  let size = 0
  const total = { cells: 0, characters: 0 }

  function* rest() {
    if (rows.length > 0) yield rows
    rows = []
    size = 0
  }

  return {
    add({ row, cells, width = cells.length, hasStoredBlanks = false }: TableRow) {
      if (row > MAX_ROWS) throw tooManyRows()
      if (cells.length > MAX_COLUMNS) {
        throw new TableError(`Row ${row} has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`)
      }
      while (cells.length > 0 && cells[cells.length - 1]?.trim() === '') cells.pop()
      if (cells.length === 0) return
      let characters = 0
      for (const cell of cells) characters += cell.length
      if (characters > MAX_ROW_LENGTH) throw new TableError(`Row ${row} is too long. Shorten it.`)
      total.cells += cells.length
      total.characters += characters
      if (total.cells > LIMITS.cells) throw tooManyCells()
      // Cells of a workbook can share one long string, so a small file can expand to more than any disk holds.
      if (total.characters > LIMITS.characters)
        throw new TableError('The file contains too much text. Split it into smaller files.')
      size += cells.length + characters / CHARACTERS_PER_CELL
      rows.push(hasWidth ? { row, cells, width, hasStoredBlanks } : { row, cells })
    },
    /** The current batch, if it is full. */
    *full() {
      if (size >= BATCH_CELLS) yield* rest()
    },
    rest,
  }
}
