import { type ReadSheet, SheetError } from './sheets.ts'

/** Rows as they come, the header first, told apart from blank ones, each with its true number. */
export function collectRows(rowLimit: number) {
  let count = 0
  let header: string[] = []
  const rows: ReadSheet['rows'] = []
  return {
    add(cells: string[]) {
      count += 1
      const used = withoutTrailingBlanks(cells)
      if (count === 1) header = used
      else if (used.length > 0) rows.push({ row: count, cells: used })
      if (rows.length > rowLimit) {
        throw new SheetError(
          `The sheet has more than ${rowLimit.toLocaleString('en')} rows. Split it into smaller ones.`,
        )
      }
    },
    /** Rows at the end of a part that were left out because they are blank. */
    skipTo(row: number) {
      count = row
    },
    get() {
      return { header, rows }
    },
  }
}

function withoutTrailingBlanks(cells: string[]) {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}
