import type { CheckedRow } from '@watchdesk/contract/sources'

/** An outcome that a file alone can tell. */
export type Outcome = CheckedRow['outcome']

/** A row of the preview. */
export type PreviewRow = Pick<CheckedRow, 'row' | 'written' | 'outcome'> & {
  platform: string | undefined
  country: string | null | undefined
}

/** What came of the file. */
export type Parsed = { count: number; notes: string[] }
/** How many rows have each outcome; null where the sheet has no column of addresses. */
export type Counts = Partial<Record<Outcome, number>> | null

export type Question =
  | { ask: 'rows'; id: number; outcome: Outcome | undefined; from: number; to: number }
  | { ask: 'body'; id: number; email: string }

/** What the page tells the worker: the file once, then questions about it. */
export type ToWorker = { file: File } | Question

export type FromWorker =
  | { tell: 'progress'; part: number | undefined; records: number }
  | { tell: 'parsed'; parsed: Parsed }
  | { tell: 'checking'; part: number }
  | { tell: 'checked'; counts: Counts }
  | { tell: 'unreadable'; message: string; reason: string | undefined }
  | { tell: 'answer'; id: number; answer: PreviewRow[] | Blob }
