export type TableKind = 'csv' | 'xlsx'

/** Trailing blank cells are left out. The width counts them if the file stores them. */
export type TableRow = { row: number; cells: string[]; width: number; hasStoredBlanks: boolean }
