export type TableKind = 'csv' | 'xlsx'

/**
 * A row with at least one value, and its row number in the spreadsheet. Trailing blank cells are left out; the width counts
 * them if the file stores them.
 */
export type TableRow = { row: number; cells: string[]; width: number; hasStoredBlanks: boolean }
