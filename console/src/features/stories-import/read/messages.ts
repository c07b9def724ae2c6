/** Rows that are worth a warning: how many, and the first of them. */
export type Finding = { count: number; examples: { row: number; text: string }[] }

/** What a stories file holds. */
export type Scan = {
  rows: number
  narrative_ids: number[]
  /** Rows whose message id has no platform or no content type. */
  wrongIds: Finding
  /** Rows whose sentiment is not a number from -1 to 1. */
  wrongSentiments: Finding
}

/** What the worker that was given a file tells. `scan` is undefined where the file cannot be read. */
export type FromWorker = { tell: 'progress'; rows: number } | { tell: 'done'; scan: Scan | undefined }
