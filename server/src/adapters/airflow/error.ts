type Details = {
  /** Airflow has no such run. */
  isUnknownRun?: boolean
  /** Another run of the DAG has this logical date: retry with a later one. */
  isDateTaken?: boolean
  /** The request was sent and its outcome is unknown: Airflow may have created the run. */
  mayHaveStarted?: boolean
  /** A retry may succeed. */
  isTemporary?: boolean
  /** From the `Retry-After` header. */
  retryAfterMs?: number
}

/** An error with a message for users. */
export class AirflowError extends Error {
  readonly isUnknownRun: boolean
  readonly isDateTaken: boolean
  readonly mayHaveStarted: boolean
  readonly isTemporary: boolean
  readonly retryAfterMs: number

  constructor(message: string, details: Details = {}) {
    super(message)
    this.name = 'AirflowError'
    this.isUnknownRun = details.isUnknownRun ?? false
    this.isDateTaken = details.isDateTaken ?? false
    this.mayHaveStarted = details.mayHaveStarted ?? false
    this.isTemporary = details.isTemporary ?? false
    this.retryAfterMs = details.retryAfterMs ?? 0
  }

  with(details: Details) {
    return new AirflowError(this.message, { ...this, ...details })
  }
}
