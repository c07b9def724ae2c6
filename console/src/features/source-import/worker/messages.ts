import type { CheckedRow } from '@watchdesk/contract/sources'

/** An outcome that a file alone can tell. */
export type Outcome = CheckedRow['outcome']

/** A row of the preview. */
export type PreviewRow = Pick<CheckedRow, 'row' | 'written' | 'outcome'> & {
  platform: string | undefined
  country: string | null | undefined
}

/** What came of the file. */
type Parsed = { count: number; notes: string[] }
/** How many rows have each outcome; null where the sheet has no column of addresses. */
export type Counts = Partial<Record<Outcome, number>> | null

export type ReadProgress =
  | { phase: 'reading'; part: number | undefined; records: number }
  | { phase: 'checking'; part: number; parsed: Parsed }

export type ReadResult =
  | { phase: 'ready'; parsed: Parsed; counts: Counts }
  /** Something is wrong with the file. */
  | { phase: 'invalid'; message: string; reason: string | undefined }
