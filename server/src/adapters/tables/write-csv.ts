import { csvLine } from '@watchdesk/contract/csv'

/** The next rows of a table, none at its end. */
export type NextRows = (limit: number) => Promise<{ cells: string[] }[]>

const BATCH = 1_000
/** Without a byte order mark, spreadsheet programs do not recognize UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

export async function* csvOf(header: string[], next: NextRows) {
  yield BYTE_ORDER_MARK + csvLine(header)
  for (let rows = await next(BATCH); rows.length > 0; rows = await next(BATCH)) {
    yield rows.map(({ cells }) => csvLine(cells)).join('')
  }
}
