import { type OnRows, SheetError, type SheetRow } from './sheets.ts'

/** Passes on the rows that are not blank. Row 1 is the header. */
export function collectRows(rowLimit: number, onRows: OnRows) {
  let header: string[] = []
  let rows: SheetRow[] = []
  let count = 0
  return {
    header: () => header,
    add({ row, cells }: SheetRow) {
      const used = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
      if (row === 1) header = used
      else if (used.length > 0) rows.push({ row, cells: used })
    },
    async flush() {
      count += rows.length
      if (count > rowLimit) {
        throw new SheetError(
          `The sheet has more than ${rowLimit.toLocaleString('en')} rows. Split it into smaller ones.`,
        )
      }
      if (rows.length > 0) await onRows(header, rows)
      rows = []
    },
  }
}
