type Facts = {
  /** Airflow has no such run. */
  isUnknownRun?: boolean
  /** Another run of the DAG has this logical date: a later one would be free. */
  isDateTaken?: boolean
  /** The run was sent and no clear answer came: Airflow may have it. */
  mayHaveStarted?: boolean
  /** It may go well a moment later. */
  isPassing?: boolean
  /** How long Airflow asks to be left alone. */
  retryAfterMs?: number
}

/** What went wrong with Airflow, in a sentence for people, and what a caller must know of it. */
export class AirflowError extends Error {
  readonly isUnknownRun: boolean
  readonly isDateTaken: boolean
  readonly mayHaveStarted: boolean
  readonly isPassing: boolean
  readonly retryAfterMs: number

  constructor(message: string, facts: Facts = {}) {
    super(message)
    this.name = 'AirflowError'
    this.isUnknownRun = facts.isUnknownRun ?? false
    this.isDateTaken = facts.isDateTaken ?? false
    this.mayHaveStarted = facts.mayHaveStarted ?? false
    this.isPassing = facts.isPassing ?? false
    this.retryAfterMs = facts.retryAfterMs ?? 0
  }

  with(facts: Facts) {
    return new AirflowError(this.message, { ...this, ...facts })
  }
}
