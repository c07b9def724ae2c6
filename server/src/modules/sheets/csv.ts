import { csvLine } from '@watchdesk/contract/csv'

type Next = (limit: number) => Promise<{ cells: string[] }[]>

const BATCH = 2_000
/** Without it, spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\ufeff'

/** The rows as CSV that spreadsheets open as they are. */
export async function* csvOf(header: string[], next: Next) {
  yield BYTE_ORDER_MARK + csvLine(header)
  for (let rows = await next(BATCH); rows.length > 0; rows = await next(BATCH)) {
    yield rows.map(({ cells }) => csvLine(cells)).join('')
  }
}
