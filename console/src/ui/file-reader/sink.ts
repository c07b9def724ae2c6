export type Cell = string | number | boolean | null | undefined

export type TableKind = 'csv' | 'xlsx'

/** Receives the rows of a file as they are read, including blank ones. */
export type Sink = {
  /** `row` is the row number in the spreadsheet. */
  add: (cells: readonly Cell[], row: number) => void
  /** The number of records kept so far. */
  count: () => number
}
