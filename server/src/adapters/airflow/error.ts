import type { HttpError } from '../http.ts'

type Details = {
  isUnknownRun?: boolean
  /** Another run of the DAG has this logical date: retry with a later one. */
  isDateTaken?: boolean
  /** The request was sent and its outcome is unknown: Airflow may have created the run. */
  mayHaveStarted?: boolean
  isTemporary?: boolean
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

export type AirflowResponse = { status: number; body: unknown; retryAfterMs: number }

type RequestContext = { base: string; version: '2' | '3'; dagId: string; isSignIn: boolean }

export function responseError(response: AirflowResponse, context: RequestContext) {
  const { status, retryAfterMs } = response
  return new AirflowError(responseText(response, context), {
    mayHaveStarted: !context.isSignIn && (status < 300 || status >= 500),
    isTemporary: status === 429 || status >= 500,
    retryAfterMs,
  })
}

function responseText({ status, body }: AirflowResponse, { base, version, dagId, isSignIn }: RequestContext) {
  const airflow = `Airflow at ${base}`
  const reason = reasonOf(body)
  if (status >= 500) return `${airflow} failed with status ${status}. Check its log, then try again.`
  if (status === 429) return `${airflow} is receiving too many requests. Try again in a moment.`
  if (status >= 300 && status < 400) {
    return `${airflow} redirects to another address, which is not followed. Set AIRFLOW_URL to the final address.`
  }
  if (status === 401 || (status === 403 && isSignIn)) {
    const backends = ', and that its auth_backends include airflow.api.auth.backend.basic_auth'
    return `${airflow} refused the sign-in. Check AIRFLOW_USERNAME and AIRFLOW_PASSWORD${version === '2' ? backends : ''}.`
  }
  // 2.11 also returns 403 for a wrong password if anonymous users have a role.
  if (status === 403 && version === '2') {
    return `${airflow} refused the sign-in, or does not let its user read and trigger the DAG "${dagId}". Check AIRFLOW_USERNAME and AIRFLOW_PASSWORD, and the role of that user.`
  }
  if (status === 403) {
    return `${airflow} does not let the user of AIRFLOW_USERNAME do this. Give it the right to read and trigger the DAG "${dagId}".`
  }
  if (isSignIn || status < 300 || status === 405 || (status === 404 && !reason)) {
    return `The server at ${base} is not Airflow ${version}.x (status ${status}). Check AIRFLOW_URL and AIRFLOW_VERSION.`
  }
  if (status === 404) return missingDag(dagId)
  return `Airflow refused the request with status ${status}${reason && `: ${reason}`}`
}

const NOT_SENT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

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
  return `Airflow has no DAG "${dagId}". Put docs/airflow/vectorize_narrative.py into its dags folder, or set AIRFLOW_DAG_ID.`
}

export function reasonOf(body: unknown) {
  const { detail } = Object(body)
  const words = Array.isArray(detail) ? detail.map((item) => Object(item).msg).join('; ') : (detail?.reason ?? detail)
  return typeof words === 'string' ? words.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 300) : ''
}
