import type { RowOutcome, WrittenSource } from '@watchdesk/contract/source-row'

/** An outcome that can be determined from the file alone, or that a person chose. */
export type Outcome = RowOutcome | 'skipped'

/** The cells of a row that can be edited. */
export const COLUMNS = ['url', 'country'] as const
export type Column = (typeof COLUMNS)[number]

/** The rows to show: those with an outcome, those that will not be imported as they are, or those with the same error. */
export type Filter = Outcome | 'problems' | { alike: string } | undefined

/** A row of the preview. */
export type PreviewRow = {
  /** The row number in the spreadsheet: the header is row 1. */
  row: number
  written: WrittenSource
  outcome: Outcome
  platform: string | undefined
  country: string | null | undefined
  /** The text in the file, of each cell that was edited. */
  before: Partial<Record<Column, string>>
  /** It had an error, and has none since it was edited. */
  isFixed: boolean
  /** The number of the row that has the same source, if this one repeats it. */
  repeats: number | undefined
  suggestions: Partial<Record<Column, string>>
}

/** A change of the rows. `at` is the position of a row among those that are shown. */
export type Change =
  | { type: 'write'; at: number; column: Column; text: string }
  /** One or more rows and columns, as spreadsheet programs copy them. */
  | { type: 'paste'; at: number; column: Column; text: string }
  | { type: 'skip'; at: number; isSkipped: boolean }
  | { type: 'accept'; at: number; column: Column }
  /** Accepts the suggestion for all cells that are alike. */
  | { type: 'accept all'; key: string }
  | { type: 'undo' }
  | { type: 'redo' }

/** Cells with the same error, of which `from` is one. */
export type Alike = { key: string; column: Column; from: string; to: string; count: number }

/** The result of reading the file. */
type Parsed = { count: number; notes: string[] }
/** The number of rows per outcome; null if there is no address column. */
export type Counts = Partial<Record<Outcome, number>> | null

/** What is known of all rows together, after the last change. */
export type Judged = {
  counts: Counts
  alike: Alike[]
  /** The number of rows that differ from the file. */
  changedCount: number
  canUndo: boolean
  canRedo: boolean
  /** Changes with every change. */
  version: number
}

export type Changed = Judged & {
  /** The first changed row. `at` is undefined if it is not shown. */
  first: { at: number | undefined; column: Column; row: number; outcome: Outcome } | undefined
  /** How many rows were changed, and how many others have another outcome because of it. */
  rows: number
  others: number
  /** How many pasted rows did not fit. */
  left: number
}

export type ReadProgress =
  | { phase: 'reading'; part: number | undefined; records: number }
  | { phase: 'checking'; part: number; parsed: Parsed }

export type ReadResult =
  | ({ phase: 'ready'; parsed: Parsed } & Judged)
  /** The file is invalid. */
  | { phase: 'invalid'; message: string; reason: string | undefined }
