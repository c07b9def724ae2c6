import { MAX_COLUMNS, MAX_ROWS } from '../limits.ts'
import { TableError, tooManyCells, tooManyRows } from '../table-error.ts'
import { type Archive, damaged } from './archive.ts'
import { type CellValue, columnOf, dateOf, numberOf, unescaped } from './cell.ts'
import { XLSX_LIMITS } from './limits.ts'
import { createTextCollector, loadSharedStrings, type StringStore, tooLong } from './shared-strings.ts'
import { readWorkbook, type Workbook } from './workbook.ts'
import { readXml, type XmlHandlers } from './xml.ts'

/**
 * A row of a sheet, and its row number in the spreadsheet. Blank cells are empty texts; those at the end only count
 * towards the width, and only if an empty value is stored: a cell that is merely formatted is not a value.
 */
export type SheetRow = {
  row: number
  cells: CellValue[]
  width: number
  /** Stores empty values, which spreadsheet programs leave out, except as shared strings and results of formulas. */
  hasStoredBlanks: boolean
}

type OnRow = (row: SheetRow) => void

/** Reads the rows of the first sheet of a workbook. Yields after a few rows, so that the caller can pass them on. */
export async function* readXlsx(archive: Archive, strings: StringStore, onRow: OnRow): AsyncGenerator<void> {
  const workbook = await readWorkbook(archive)
  if (workbook.sharedStrings !== undefined) await loadSharedStrings(archive.read(workbook.sharedStrings), strings)
  const { values, ...handlers } = sheetHandlers(workbook, strings, (row) => {
    // The sheet is full, so the rows continue on the next sheet, like in our own downloads.
    if (row.row === MAX_ROWS && workbook.hasMoreSheets) throw tooManyRows()
    onRow(row)
  })
  yield* readXml(archive.read(workbook.sheet, true), handlers, values)
}

type SheetHandlers = XmlHandlers & { values(): number }

function sheetHandlers(workbook: Workbook, strings: StringStore, onRow: OnRow): SheetHandlers {
  const inline = createTextCollector('is')
  let values = 0
  let blankCells = 0
  let row = 0
  let column = 0
  let width = 0
  let cells: CellValue[] = []
  let hasStoredBlanks = false
  let type = ''
  let hasStyle = false
  let isFormula = false
  let isDate = false
  let value: string | undefined
  let isValue = false
  let inlineText: string | undefined

  return {
    values: () => values,
    open(name, attributes) {
      if (name === 'row') openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (name === 'v') {
        isValue = true
        value = ''
      } else if (name === 'f') isFormula = true
      else inline.open(name)
    },
    text(text) {
      if (!isValue) return inline.text(text)
      value += text
      if (value !== undefined && value.length > XLSX_LIMITS.cellLength * 7) throw tooLong()
    },
    close(name) {
      if (name === 'v') isValue = false
      else if (name === 'c') closeCell()
      else if (name === 'row') {
        onRow({ row, cells, width, hasStoredBlanks })
        cells = []
      } else inlineText = inline.close(name) ?? inlineText
    },
  }

  function openRow({ r }: Record<string, string>) {
    const number = r === undefined ? row + 1 : Number(r)
    if (!Number.isInteger(number) || number <= row) {
      throw damaged(`row ${String(r).slice(0, 20)} comes after row ${row}`)
    }
    row = number
    column = 0
    width = 0
    hasStoredBlanks = false
  }

  function openCell({ r, t = 'n', s }: Record<string, string>) {
    column = r === undefined ? column + 1 : columnOf(r)
    if (column < 1 || column > MAX_COLUMNS) {
      throw new TableError(`Row ${row} has a cell outside the limits of a spreadsheet.`)
    }
    type = t
    hasStyle = s !== undefined
    isFormula = false
    isDate = workbook.dateStyles[Number(s ?? 0)] ?? false
    value = undefined
    inlineText = undefined
  }

  function closeCell() {
    const cell = cellValue()
    const isOnlyFormat = hasStyle && value === undefined && inlineText === undefined
    if (!isOnlyFormat) width = Math.max(width, column)
    if (cell === '') {
      hasStoredBlanks ||= !isOnlyFormat && !isFormula && type !== 's'
      return
    }
    blankCells += Math.max(0, column - 1 - cells.length)
    if (blankCells > XLSX_LIMITS.blankCells) throw tooManyCells()
    while (cells.length < column - 1) cells.push('')
    cells[column - 1] = cell
    values += 1
  }

  function cellValue() {
    if (type === 'inlineStr') return inlineText ?? ''
    if (value === undefined || value === '') return ''
    if (type === 's') return sharedString(Number(value))
    if (type === 'b') return value === '1' || value === 'true'
    if (type === 'n') return isDate ? dateOf(value, workbook.is1904) : numberOf(value)
    // Formula results, errors, and dates stored as text.
    const text = unescaped(value)
    if (text.length > XLSX_LIMITS.cellLength) throw tooLong()
    return text
  }

  function sharedString(index: number) {
    const text = strings.get(index)
    if (text !== undefined) return text
    throw damaged('the text of a cell is missing')
  }
}
