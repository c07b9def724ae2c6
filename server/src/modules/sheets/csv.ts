import { neutralise } from './cells.ts'

type Next = (limit: number) => Promise<{ cells: string[] }[]>

const BATCH = 2_000
/** Without it, spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\ufeff'

/** The rows as CSV that spreadsheets open as they are: commas, CRLF, quotes where needed. */
export async function* csvOf(header: string[], next: Next) {
  yield BYTE_ORDER_MARK + line(header)
  for (let rows = await next(BATCH); rows.length > 0; rows = await next(BATCH)) {
    yield rows.map(({ cells }) => line(cells)).join('')
  }
}

function line(cells: string[]) {
  const text = cells.map((cell) => quoted(neutralise(cell))).join(',')
  // An empty line would be taken for no row at all.
  return `${text === '' ? '""' : text}\r\n`
}

function quoted(cell: string) {
  return /[",\r\n;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
