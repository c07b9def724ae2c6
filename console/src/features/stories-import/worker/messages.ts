/** Rows with a warning: the total, and the first few. */
export type Finding = { count: number; examples: { row: number; text: string }[] }

/** The contents of a stories file. */
export type StoriesCheck = {
  rows: number
  narrative_ids: number[]
  /** Rows that the import would reject, each with the reason. */
  refused: Finding
  /** Rows whose message id lacks a platform or content type. */
  wrongIds: Finding
  /** Rows whose sentiment is below -1 or above 1. */
  wrongSentiments: Finding
}

export type CheckResult =
  | { phase: 'ready'; check: StoriesCheck }
  /** The import would reject the file. */
  | { phase: 'invalid'; message: string }
  /** The file could not be checked, which says nothing about the import. Another attempt may succeed. */
  | { phase: 'failed'; message: string }
