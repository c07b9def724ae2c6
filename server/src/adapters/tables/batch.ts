import { MAX_COLUMNS, MAX_ROW_LENGTH, MAX_ROWS } from '@watchdesk/contract/limits'
import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import type { TableRow } from './tables.ts'

/** Of a file, in addition to the limits of a spreadsheet program. No legitimate file exceeds them. */
const MAX_CELLS = 50_000_000
const MAX_CHARACTERS = 600_000_000
/** The approximate number of cells of ordinary length in a batch. A long cell counts as more than one. */
const BATCH_CELLS = 5_000
const CHARACTERS_PER_CELL = 100

export type AddRow = (row: Pick<TableRow, 'row' | 'cells'> & Partial<TableRow>) => void

export function createBatch() {
  let rows: TableRow[] = []
  let size = 0
  let allCells = 0
  let allCharacters = 0

  const add: AddRow = ({ row, cells, width = cells.length, hasStoredBlanks = false }) => {
    if (row > MAX_ROWS) throw new TableError(TABLE_MESSAGES.too_many_rows)
    if (cells.length > MAX_COLUMNS) {
      throw new TableError(`Row ${row} has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`)
    }
    while (cells.length > 0 && cells[cells.length - 1]?.trim() === '') cells.pop()
    if (cells.length === 0) return
    let characters = 0
    for (const cell of cells) characters += cell.length
    if (characters > MAX_ROW_LENGTH) throw new TableError(`Row ${row} is too long. Shorten it.`)
    allCells += cells.length
    allCharacters += characters
    if (allCells > MAX_CELLS) throw new TableError(TABLE_MESSAGES.too_many_cells)
    // Cells of a workbook can share one long string, so a small file can expand to more than any disk holds.
    if (allCharacters > MAX_CHARACTERS)
      throw new TableError('The file contains too much text. Split it into smaller files.')
    size += cells.length + characters / CHARACTERS_PER_CELL
    rows.push({ row, cells, width, hasStoredBlanks })
  }

  function take() {
    const taken = rows
    rows = []
    size = 0
    return taken
  }

  return { add, isFull: () => size >= BATCH_CELLS, take }
}
