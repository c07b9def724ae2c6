import type { HttpError } from '../http.ts'

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
  override readonly name = 'AirflowError'
  readonly isUnknownRun: boolean = false
  readonly isDateTaken: boolean = false
  readonly mayHaveStarted: boolean = false
  readonly isTemporary: boolean = false
  readonly retryAfterMs: number = 0

  constructor(message: string, details: Details = {}) {
    super(message)
    Object.assign(this, details)
  }

  with(details: Details) {
    return new AirflowError(this.message, { ...this, ...details })
  }
}

/** `body` is undefined if it is not valid JSON. */
export type AirflowResponse = { status: number; body: unknown; retryAfterMs: number }

type RequestContext = { base: string; version: '2' | '3'; dagId: string; isSignIn: boolean }

/** Explains an unexpected response, and what to do about it. */
export function responseError(
  { status, body, retryAfterMs }: AirflowResponse,
  { base, version, dagId, isSignIn }: RequestContext,
) {
  if (status >= 500) {
    return new AirflowError(`Airflow at ${base} failed with status ${status}. Check its log, then try again.`, {
      mayHaveStarted: !isSignIn,
      isTemporary: true,
      retryAfterMs,
    })
  }
  if (status === 429) {
    const text = `Airflow at ${base} is receiving too many requests. Try again in a moment.`
    return new AirflowError(text, { isTemporary: true, retryAfterMs })
  }
  if (status >= 300 && status < 400) {
    return new AirflowError(
      `Airflow at ${base} redirects to another address, which is not followed. Set AIRFLOW_URL to the final address.`,
    )
  }
  if (status === 401 || (status === 403 && isSignIn)) {
    return new AirflowError(
      `Airflow at ${base} refused the sign-in. Check AIRFLOW_USERNAME and AIRFLOW_PASSWORD${
        version === '2' ? ', and that its auth_backends include airflow.api.auth.backend.basic_auth' : ''
      }.`,
    )
  }
  // 2.11 also returns 403 for a wrong password if anonymous users have a role.
  if (status === 403 && version === '2') {
    return new AirflowError(
      `Airflow at ${base} refused the sign-in, or does not let its user read and trigger the DAG "${dagId}". Check AIRFLOW_USERNAME and AIRFLOW_PASSWORD, and the role of that user.`,
    )
  }
  if (status === 403) {
    return new AirflowError(
      `Airflow at ${base} does not let the user of AIRFLOW_USERNAME do this. Give it the right to read and trigger the DAG "${dagId}".`,
    )
  }
  const reason = reasonOf(body)
  if (isSignIn || status < 300 || status === 405 || (status === 404 && !reason)) {
    return new AirflowError(
      `The server at ${base} is not Airflow ${version}.x (status ${status}). Check AIRFLOW_URL and AIRFLOW_VERSION.`,
      { mayHaveStarted: !isSignIn && status < 300 },
    )
  }
  if (status === 404) return missingDag(dagId)
  return new AirflowError(`Airflow refused the request with status ${status}${reason && `: ${reason}`}`)
}

/** The connection failed, so nothing was sent. */
const NOT_SENT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Explains why there is no response. */
export function requestError({ kind, networkCode }: HttpError, origin: string) {
  const unreachable = `cannot be reached${networkCode && ` (${networkCode})`}. Check AIRFLOW_URL and that Airflow is running.`
  const problem = {
    too_large: 'sent a response that is too long. Check that AIRFLOW_URL is the address of Airflow.',
    timeout: 'did not answer in time. Check that it is running, then try again.',
    network: unreachable,
    redirect: unreachable,
  }[kind]
  const mayHaveStarted = !NOT_SENT_CODES.has(networkCode)
  return new AirflowError(`Airflow at ${origin} ${problem}`, { mayHaveStarted, isTemporary: kind !== 'too_large' })
}

export function missingDag(dagId: string) {
  return new AirflowError(
    `Airflow has no DAG "${dagId}". Put docs/airflow/vectorize_narrative.py into its dags folder, or set AIRFLOW_DAG_ID.`,
  )
}

/** The error message of Airflow, in any of its formats, shortened. */
export function reasonOf(body: unknown) {
  const { detail } = Object(body)
  const words = Array.isArray(detail) ? detail.map((item) => Object(item).msg).join('; ') : (detail?.reason ?? detail)
  return typeof words === 'string' ? words.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 300) : ''
}
