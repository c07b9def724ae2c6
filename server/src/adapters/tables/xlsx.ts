import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { TableError } from '@watchdesk/contract/table-error'
import { createBatch, tooManyRows } from './batch.ts'
import { columnOf, dateText, numberCell, unescaped } from './cell.ts'
import { createSharedStrings, createTextCollector, tooLong } from './shared-strings.ts'
import { LIMITS, type TableRow } from './tables.ts'
import { readWorkbook, type Workbook } from './workbook.ts'
import { readXml, type XmlHandlers } from './xml.ts'
import { openZip } from './zip.ts'

type SharedStrings = Pick<ReturnType<typeof createSharedStrings>, 'get'>

/** Reads the rows of the first sheet of a workbook. */
export async function* xlsxRows(path: string): AsyncGenerator<TableRow[]> {
  const zip = await openZip(path)
  const strings = createSharedStrings(join(dirname(path), `${randomUUID()}.strings`))
  try {
    const workbook = await readWorkbook(zip)
    if (workbook.sharedStrings !== undefined) await strings.load(zip.read(workbook.sharedStrings))
    const batch = createBatch()
    const { values, ...handlers } = sheetHandlers(workbook, strings, (row) => {
      // The sheet is full, so the rows continue on the next sheet, like in our own downloads.
      if (row.row === LIMITS.rows && workbook.hasMoreSheets) throw tooManyRows()
      batch.add(row)
    })
    yield* readXml(zip.read(workbook.sheet, LIMITS.ratioFreeRowBytes), handlers, batch.full, values)
    yield* batch.rest()
  } finally {
    strings.close()
    zip.close()
  }
}

type SheetHandlers = XmlHandlers & { values(): number }

function sheetHandlers(workbook: Workbook, strings: SharedStrings, add: (row: TableRow) => void): SheetHandlers {
  const inline = createTextCollector('is')
  let values = 0
  let row = 0
  let column = 0
  let cells: string[] = []
  let type = ''
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
      } else inline.open(name)
    },
    text(text) {
      if (!isValue) return inline.text(text)
      value += text
      if (value !== undefined && value.length > LIMITS.cellLength * 7) throw tooLong()
    },
    close(name) {
      if (name === 'v') isValue = false
      else if (name === 'c') closeCell()
      else if (name === 'row') {
        add({ row, cells })
        cells = []
      } else inlineText = inline.close(name) ?? inlineText
    },
  }

  function openRow({ r }: Record<string, string>) {
    const number = r === undefined ? row + 1 : Number(r)
    if (!Number.isInteger(number) || number <= row) {
      throw new TableError(`The workbook is damaged: after row ${row} comes row ${String(r).slice(0, 20)}.`)
    }
    row = number
    column = 0
  }

  function openCell({ r, t = 'n', s }: Record<string, string>) {
    column = r === undefined ? column + 1 : columnOf(r)
    if (column < 1 || column > LIMITS.columns) {
      throw new TableError(`Row ${row} has a cell outside the limits of a spreadsheet.`)
    }
    type = t
    isDate = workbook.dateStyles[Number(s ?? 0)] ?? false
    value = undefined
    inlineText = undefined
  }

  function closeCell() {
    const text = cellText()
    if (text === '') return
    while (cells.length < column - 1) cells.push('')
    cells[column - 1] = text
    values += 1
  }

  function cellText() {
    if (type === 'inlineStr') return inlineText ?? ''
    if (value === undefined || value === '') return ''
    if (type === 's') return strings.get(Number(value))
    if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
    if (type === 'n') return isDate ? dateText(value, workbook.is1904) : numberCell(value)
    // Formula results, errors, and dates stored as text.
    const text = unescaped(value)
    if (text.length > LIMITS.cellLength) throw tooLong()
    return text
  }
}
