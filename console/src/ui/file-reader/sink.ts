export type Cell = string | number | boolean | null | undefined

export type TableKind = 'csv' | 'xlsx'

/** What takes the rows of a file as they are read, blank ones included. */
export type Sink = {
  /** `row` is the number that the spreadsheet shows beside it. */
  add: (cells: readonly Cell[], row: number) => void
  /** How many rows it has found worth keeping. */
  count: () => number
}
