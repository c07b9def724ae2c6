import { MAX_COLUMNS, MAX_ROWS } from '../limits.ts'
import { TABLE_MESSAGES, TableError } from '../table-error.ts'
import { type Archive, damaged } from './archive.ts'
import { type CellValue, columnOf, dateOf, numberOf } from './cell.ts'
import { XLSX_LIMITS } from './limits.ts'
import { createTextCollector, loadSharedStrings, plainText, type StringStore } from './shared-strings.ts'
import { readWorkbook, type Workbook } from './workbook.ts'
import { readXml } from './xml.ts'

/**
 * Blank cells are empty texts; those at the end only count towards the width, and only if an empty value is stored: a
 * cell that is merely formatted is not a value.
 */
export type SheetRow = {
  row: number
  cells: CellValue[]
  width: number
  /** Stores empty values, which spreadsheet programs leave out, except as shared strings and results of formulas. */
  hasStoredBlanks: boolean
}

type OnRow = (row: SheetRow) => void

/** Yields after a few rows of the first sheet, so that the caller can pass them on. */
export async function* readXlsx(archive: Archive, strings: StringStore, onRow: OnRow): AsyncGenerator<void> {
  const workbook = await readWorkbook(archive)
  if (workbook.sharedStrings !== undefined) await loadSharedStrings(archive.read(workbook.sharedStrings), strings)
  const sheet = createSheetReader(workbook, strings, (row) => {
    // The sheet is full, so the rows continue on the next sheet, like in our own downloads.
    if (row.row === MAX_ROWS && workbook.hasMoreSheets) throw new TableError(TABLE_MESSAGES.too_many_rows)
    onRow(row)
  })
  yield* readXml(archive.read(workbook.sheet, true), sheet, sheet.values)
}

type Attributes = Record<string, string>

function createSheetReader(workbook: Workbook, strings: StringStore, onRow: OnRow) {
  const collector = createTextCollector()
  let values = 0
  let blankCells = 0
  let row: SheetRow = { row: 0, cells: [], width: 0, hasStoredBlanks: false }
  let column = 0
  let type = ''
  let hasStyle = false
  let isFormula = false
  let isDate = false

  return {
    values: () => values,
    open(name: string, attributes: Attributes) {
      if (name === 'row') openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (name === 'f') isFormula = true
      else collector.open(name)
    },
    text: collector.text,
    close(name: string) {
      if (name === 'c') closeCell()
      else if (name === 'row') onRow(row)
      else collector.close(name)
    },
  }

  function openRow({ r }: Attributes) {
    const number = r === undefined ? row.row + 1 : Number(r)
    if (!Number.isInteger(number) || number <= row.row) {
      throw damaged(`row ${String(r).slice(0, 20)} comes after row ${row.row}`)
    }
    row = { row: number, cells: [], width: 0, hasStoredBlanks: false }
    column = 0
  }

  function openCell({ r, t = 'n', s }: Attributes) {
    column = r === undefined ? column + 1 : columnOf(r)
    if (column < 1 || column > MAX_COLUMNS) {
      throw new TableError(`Row ${row.row} has a cell outside the limits of a spreadsheet.`)
    }
    type = t
    hasStyle = s !== undefined
    isFormula = false
    isDate = workbook.dateStyles[Number(s ?? 0)] ?? false
    collector.take()
  }

  function closeCell() {
    const written = collector.take()
    const value = cellValue(written ?? '')
    const isOnlyFormat = hasStyle && written === undefined
    if (!isOnlyFormat) row.width = Math.max(row.width, column)
    if (value === '') {
      row.hasStoredBlanks ||= !isOnlyFormat && !isFormula && type !== 's'
      return
    }
    const { cells } = row
    blankCells += Math.max(0, column - 1 - cells.length)
    if (blankCells > XLSX_LIMITS.blankCells) throw new TableError(TABLE_MESSAGES.too_many_cells)
    while (cells.length < column - 1) cells.push('')
    cells[column - 1] = value
    values += 1
  }

  function cellValue(written: string): CellValue {
    if (written === '') return ''
    if (type === 's') return sharedString(Number(written))
    if (type === 'b') return written === '1' || written === 'true'
    if (type === 'n') return isDate ? dateOf(written, workbook.is1904) : numberOf(written)
    // Texts in place, formula results, errors, and dates stored as text.
    return plainText(written)
  }

  function sharedString(index: number) {
    const text = strings.get(index)
    if (text !== undefined) return text
    throw damaged('the text of a cell is missing')
  }
}
