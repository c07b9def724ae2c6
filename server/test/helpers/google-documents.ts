import { randomBytes } from 'node:crypto'

export type Cell = string | number | boolean
export type Tab = { sheetId: number; title: string; rowCount: number; columnCount: number; cells: Cell[][] }
export type Document = {
  id: string
  title: string
  tabs: Tab[]
  /** Email addresses, or `anyone` for anyone with the link. */
  readers: Set<string>
  folder: string | undefined
  isOffice: boolean
  isTrashed: boolean
  /** The id under which it is published to the web. */
  publishedId: string | undefined
}

/** An error response in Google's format. */
export class ApiError extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, name: string, message: string, rest: object = {}) {
    super(message)
    this.status = status
    this.body = { error: { code: status, message, status: name, ...rest } }
  }
}

/** Drive's older error format. */
export function driveError(status: number, reason: string, message: string) {
  return new ApiError(status, 'ERROR', message, { status: undefined, errors: [{ domain: 'global', reason, message }] })
}

export function newTab(cells: Cell[][] = [], rest: Partial<Tab> = {}): Tab {
  const columnCount = cells.reduce((most, row) => Math.max(most, row.length), 26)
  return { sheetId: 0, title: 'Sheet1', rowCount: Math.max(1000, cells.length), columnCount, cells, ...rest }
}

export function newDocument(rest: Partial<Document> = {}): Document {
  const tabs = rest.tabs ?? [newTab()]
  const id = `1${randomBytes(32).toString('base64url')}`
  return {
    id,
    title: 'Untitled',
    readers: new Set(),
    folder: undefined,
    isOffice: false,
    isTrashed: false,
    publishedId: undefined,
    ...rest,
    tabs,
  }
}

/** Parses `'My tab'!A2:C10`, `A2:C10` or `'My tab'!2:10`; zero-based, the end is exclusive. */
function parseRange(document: Document, range: string) {
  const [, quoted, from, firstRow, to, lastRow] =
    /^(?:'((?:[^']|'')+)'!)?([A-Z]*)(\d+):([A-Z]*)(\d+)$/.exec(range) ?? []
  const name = quoted?.replaceAll("''", "'")
  const tab = name === undefined ? document.tabs[0] : document.tabs.find(({ title }) => title === name)
  if (!tab || !firstRow || !lastRow) throw new ApiError(400, 'INVALID_ARGUMENT', `Unable to parse range: ${range}`)
  const columns = { first: from ? columnNumber(from) - 1 : 0, end: to ? columnNumber(to) : tab.columnCount }
  const rows = { first: Number(firstRow) - 1, end: Number(lastRow) }
  if (rows.end > tab.rowCount || columns.end > tab.columnCount || rows.first >= rows.end) {
    const limits = `Max rows: ${tab.rowCount}, max columns: ${tab.columnCount}`
    throw new ApiError(400, 'INVALID_ARGUMENT', `Range (${range}) exceeds grid limits. ${limits}`)
  }
  return { tab, rows, columns }
}

function columnNumber(letters: string) {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

export function readValues(document: Document, range: string) {
  const { tab, rows, columns } = parseRange(document, range)
  const values = tab.cells
    .slice(rows.first, rows.end)
    .map((row) => withoutEnd(row.slice(columns.first, columns.end).map(formatted), ''))
  const used = values.slice(0, values.findLastIndex((row) => row.length > 0) + 1)
  // The field is missing if it has no value.
  return { range, majorDimension: 'ROWS', ...(used.length > 0 && { values: used }) }
}

export function writeValues(document: Document, range: string, values: Cell[][]) {
  const { tab, rows, columns } = parseRange(document, range)
  if (values.length > rows.end - rows.first || values.some((row) => row.length > columns.end - columns.first)) {
    throw new ApiError(400, 'INVALID_ARGUMENT', `Requested writing within range [${range}], but tried writing beyond`)
  }
  for (const [index, row] of values.entries()) tab.cells[rows.first + index] = row
  return { spreadsheetId: document.id, updatedRange: range, updatedRows: values.length }
}

export function formatted(cell: Cell | undefined) {
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell ?? '')
}

function withoutEnd(row: string[], blank: string) {
  return row.slice(0, row.findLastIndex((cell) => cell !== blank) + 1)
}
