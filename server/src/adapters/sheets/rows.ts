import { type OnRows, type ReadSheet, SheetError } from './sheets.ts'

/** Collects the header and the rows that are not blank, with their row numbers. */
export function collectRows(rowLimit: number, onRows?: OnRows) {
  let count = 0
  let found = 0
  let header: string[] = []
  let rows: ReadSheet['rows'] = []
  return {
    add(cells: string[]) {
      count += 1
      const used = withoutTrailingBlanks(cells)
      if (count === 1) header = used
      else if (used.length > 0) {
        rows.push({ row: count, cells: used })
        found += 1
      }
      if (found > rowLimit) {
        throw new SheetError(
          `The sheet has more than ${rowLimit.toLocaleString('en')} rows. Split it into smaller ones.`,
        )
      }
    },
    /** Google omits blank rows at the end of a range. */
    skipTo(row: number) {
      count = row
    },
    /** Passes the rows since the last call to `onRows`. */
    async flush() {
      if (!onRows || rows.length === 0) return
      const part = rows
      rows = []
      await onRows(header, part)
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
