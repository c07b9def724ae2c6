import { z } from 'zod'
import {
  backoffMs,
  type Deadline,
  HttpError,
  type HttpRequest,
  type HttpResponse,
  retry,
  sendRequest,
  withDeadline,
} from '../http.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const ATTEMPTS = 5
const ERROR_BYTES = 65_536
const RATE_LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded', 'RATE_LIMIT_EXCEEDED']

const TIMED_OUT = 'Google Sheets did not answer in time. Try again later.'
export const UNEXPECTED = 'Google Sheets sent a response that cannot be read. Try again later.'

const ApiError = z.object({
  status: z.string().optional(),
  errors: z.array(z.object({ reason: z.string() })).optional(),
  details: z.array(z.object({ reason: z.string().optional() })).optional(),
})
/** The token endpoint only has a code. */
const ErrorBody = z.object({
  error: z
    .string()
    .transform((status): z.output<typeof ApiError> => ({ status }))
    .or(ApiError),
})

export class GoogleError extends SheetError {
  readonly status: number
  readonly reason: string
  readonly retryAfterMs: number

  constructor(status: number, reason: string, retryAfterMs: number) {
    super(errorText(status, reason))
    this.status = status
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  get isRateLimit() {
    return this.status === 429 || (this.status === 403 && RATE_LIMITS.includes(this.reason))
  }
}

function errorText(status: number, reason: string) {
  if (status === 429 || RATE_LIMITS.includes(reason)) {
    return 'Google Sheets is receiving too many requests. Try again in a minute.'
  }
  if (status >= 500) return `Google Sheets is not available right now (${status}). Try again later.`
  return `Google Sheets refused the request (${[status, reason].filter(Boolean).join(', ')}).`
}

export type GoogleRequest = HttpRequest & { isIdempotent?: boolean }

export function withTimeLimit<Result>(
  time: { ms: number; signal?: AbortSignal },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  return withDeadline(time, work).catch((error: unknown) => {
    if (time.signal?.aborted) throw new SheetError(TIMED_OUT)
    throw error instanceof HttpError ? requestError(error) : error
  })
}

function requestError({ kind, limitBytes }: HttpError) {
  if (kind === 'too_large') {
    const size = Math.floor(limitBytes / 1_048_576).toLocaleString('en')
    return new SheetError(`The sheet is larger than ${size} MB. Split it into smaller ones.`)
  }
  const unreachable = 'Google Sheets cannot be reached. Try again later.'
  return new SheetError({ timeout: TIMED_OUT, network: unreachable, redirect: UNEXPECTED }[kind])
}

export function sendGoogleRequest(
  url: string | URL,
  { isIdempotent = true, ...request }: GoogleRequest,
  deadline: Deadline,
  { firstDelayMs }: GoogleSettings,
) {
  const attempt = async () => {
    const response = await sendRequest('google', url, request, deadline.signal)
    if (response.status < 400) return response
    throw new GoogleError(response.status, await reasonOf(response), response.retryAfterMs)
  }
  const delayMs = (error: unknown, attempt: number) => {
    // Google may have closed an idle connection: retry once, without delay.
    if (error instanceof HttpError && error.kind === 'network') return !isIdempotent || attempt > 1 ? undefined : 0
    if (!(error instanceof GoogleError)) return
    // Google processed nothing in these two cases. After any other 5xx it may have.
    const isUnprocessed = error.isRateLimit || error.status === 503
    if (!isUnprocessed && (!isIdempotent || error.status < 500)) return
    return backoffMs(attempt, { firstMs: firstDelayMs, retryAfterMs: error.retryAfterMs })
  }
  return retry(attempt, { ...deadline, attempts: ATTEMPTS, delayMs })
}

/** Only reason codes: a message could repeat what was sent, tokens included. */
async function reasonOf(response: HttpResponse) {
  const body = await response.json(ERROR_BYTES).catch((error: unknown) => {
    if (!(error instanceof HttpError && error.kind === 'too_large')) throw error
  })
  const { details, errors, status } = ErrorBody.safeParse(body).data?.error ?? {}
  const reason = details?.find((detail) => detail.reason)?.reason ?? errors?.[0]?.reason ?? status
  return reason !== undefined && /^\w{1,50}$/.test(reason) ? reason : ''
}

export async function readJson<Schema extends z.ZodType>(response: HttpResponse, schema: Schema, limitBytes: number) {
  const parsed = schema.safeParse(await response.json(limitBytes))
  if (!parsed.success) throw new SheetError(UNEXPECTED)
  return parsed.data
}
