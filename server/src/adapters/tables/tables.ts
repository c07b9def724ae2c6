export type TableKind = 'csv' | 'xlsx'

/**
 * A row with at least one value, and its row number in the spreadsheet. Trailing blank cells are left out; the width, if it
 * is wanted, counts them if the file stores them.
 */
export type TableRow = { row: number; cells: string[]; width?: number; hasStoredBlanks?: boolean }

/** Limits of a file, in addition to those of a spreadsheet program. No legitimate file exceeds them. */
export const LIMITS = {
  cells: 50_000_000,
  characters: 600_000_000,
  /** Uncompressed size of each file read from a workbook. */
  inflatedBytes: 1_000_000_000,
  /**
   * Compression ratio allowed after the first few megabytes. Worksheets get a higher allowance, because their rows repeat
   * text.
   */
  ratio: 200,
  ratioFreeBytes: 10_000_000,
  ratioFreeRowBytes: 100_000_000,
  /** Shared strings of a workbook. */
  sharedBytes: 800_000_000,
} as const

/** The approximate number of cells of ordinary length in a batch. */
export const BATCH_CELLS = 5_000
