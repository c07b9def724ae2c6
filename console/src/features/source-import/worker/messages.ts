import type { CheckedRow } from '@watchdesk/contract/source-row'

/** An outcome that can be determined from the file alone. */
export type Outcome = CheckedRow['outcome']

/** A row of the preview. */
export type PreviewRow = Pick<CheckedRow, 'row' | 'written' | 'outcome'> & {
  platform: string | undefined
  country: string | null | undefined
}

/** The result of reading the file. */
type Parsed = { count: number; notes: string[] }
/** The number of rows per outcome; null if there is no address column. */
export type Counts = Partial<Record<Outcome, number>> | null

export type ReadProgress =
  | { phase: 'reading'; part: number | undefined; records: number }
  | { phase: 'checking'; part: number; parsed: Parsed }

export type ReadResult =
  | { phase: 'ready'; parsed: Parsed; counts: Counts }
  /** The file is invalid. */
  | { phase: 'invalid'; message: string; reason: string | undefined }
