import { type ReadSheet, SheetError, type TakeRows } from './sheets.ts'

/** Rows as they come, the header first, told apart from blank ones, each with its true number. */
export function collectRows(rowLimit: number, take?: TakeRows) {
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
    /** Rows at the end of a part that were left out because they are blank. */
    skipTo(row: number) {
      count = row
    },
    /** After each part: hands on what it brought. */
    async handOn() {
      if (!take || rows.length === 0) return
      const part = rows
      rows = []
      await take(header, part)
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
