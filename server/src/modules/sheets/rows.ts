import { SHEET_ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import type { SheetRows, SheetRowsQuery } from '@watchdesk/contract/sheets'
import type { InSnapshot } from '../../db/read.ts'
import { countRows, readRows } from '../../db/row-sets.ts'
import { found } from '../../problem.ts'
import { selectSheet } from './store.ts'

/** Returns rows, total and version of a single snapshot. */
export function listRows(inSnapshot: InSnapshot, id: number, query: SheetRowsQuery): Promise<SheetRows> {
  const { offset = 0, limit = SHEET_ROWS_AT_ONCE, outcome } = query
  const outcomes = outcome === undefined ? undefined : [outcome]
  return inSnapshot(async (snapshot) => {
    const { rows_id, ...sheet } = found(await selectSheet(snapshot, id), 'Sheet')
    const total = countRows(sheet, outcomes)
    return {
      rows: await readRows(snapshot, rows_id, { offset, limit, outcomes, total }),
      total,
      version: sheet.version,
    }
  })
}
