/** Rows that are worth a warning: how many, and the first of them. */
export type Finding = { count: number; examples: { row: number; text: string }[] }

/** What a stories file holds. */
export type StoriesCheck = {
  rows: number
  /** What the import will say of the header, where it refuses it. */
  problem: string | undefined
  narrative_ids: number[]
  /** Rows that the import refuses, each with what is wrong. */
  refused: Finding
  /** Rows whose message id has no platform or no content type. */
  wrongIds: Finding
  /** Rows whose sentiment is below -1 or above 1. */
  wrongSentiments: Finding
}
