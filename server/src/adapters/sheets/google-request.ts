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
import { SheetError } from './sheets.ts'

const ATTEMPTS = 5
const ERROR_BYTES = 65_536
const RATE_LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded', 'RATE_LIMIT_EXCEEDED']

const LATE = 'Google Sheets did not answer in time. Try again later.'
const UNREACHABLE = 'Google Sheets cannot be reached. Try again later.'
export const NOT_UNDERSTOOD = 'Google Sheets gave an answer that cannot be understood. Try again later.'

const ErrorBody = z.object({
  error: z.object({
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string() })).optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
})
/** The token's address has a form of its own. */
const GrantError = z.object({ error: z.string().regex(/^\w{1,50}$/) })

/** What Google answered instead of what was asked for. */
export class GoogleRefusal extends SheetError {
  readonly status: number
  readonly reason: string
  readonly retryAfterMs: number

  constructor(status: number, reason: string, retryAfterMs: number) {
    super(refusalText(status, reason))
    this.status = status
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  get isRate() {
    return this.status === 429 || (this.status === 403 && RATE_LIMITS.includes(this.reason))
  }
}

function refusalText(status: number, reason: string) {
  if (status === 429 || RATE_LIMITS.includes(reason)) {
    return 'Google Sheets takes no more requests at the moment. Try again in a minute.'
  }
  if (status >= 500) return `Google Sheets is out of order at the moment (${status}). Try again later.`
  return `Google Sheets refused the request (${[status, reason].filter(Boolean).join(', ')}).`
}

export type GoogleDeadline = Deadline & { firstWaitMs: number }

/** `once`: carried out twice, it would do harm. */
export type Sending = HttpRequest & { once?: boolean }

/** Work with Google that ends in time, and fails with a text for people. */
export function within<Result>(
  { firstWaitMs, ...time }: { ms: number; firstWaitMs: number; signal?: AbortSignal },
  work: (deadline: GoogleDeadline) => Promise<Result>,
): Promise<Result> {
  return withDeadline(time, (deadline) => work({ ...deadline, firstWaitMs })).catch((error: unknown) => {
    if (time.signal?.aborted) throw new SheetError(LATE)
    throw error instanceof HttpError ? noAnswer(error) : error
  })
}

function noAnswer({ kind, limitBytes }: HttpError) {
  if (kind === 'too_large') {
    const size = Math.floor(limitBytes / 1_048_576).toLocaleString('en')
    return new SheetError(`The sheet is larger than ${size} MB. Split it into smaller ones.`)
  }
  return new SheetError({ timeout: LATE, network: UNREACHABLE, redirect: NOT_UNDERSTOOD }[kind])
}

/** An answer below 400; a busy service is asked again after a while. */
export function send(url: string | URL, { once, ...request }: Sending, { firstWaitMs, ...deadline }: GoogleDeadline) {
  const attempt = async () => {
    const response = await sendRequest('google', url, request, deadline.signal)
    if (response.status < 400) return response
    throw new GoogleRefusal(response.status, await reasonOf(response), response.retryAfterMs)
  }
  const delayMs = (error: unknown, attempt: number) => {
    // A connection that was kept open may have ended meanwhile: worth one more try, not a minute of them.
    if (error instanceof HttpError && error.kind === 'network') return once || attempt > 1 ? undefined : 0
    if (!(error instanceof GoogleRefusal)) return
    // After these two, nothing was done; after another failure of the service, who knows.
    const isHarmless = error.isRate || error.status === 503
    if (!isHarmless && (once || error.status < 500)) return
    return backoffMs(attempt, { firstMs: firstWaitMs, retryAfterMs: error.retryAfterMs })
  }
  return retry(attempt, { ...deadline, attempts: ATTEMPTS, delayMs })
}

/** Only words that Google chooses from a list: a message could repeat what was sent. */
async function reasonOf(response: HttpResponse) {
  const body = await response.json(ERROR_BYTES).catch((error: unknown) => {
    if (!(error instanceof HttpError && error.kind === 'too_large')) throw error
  })
  const grant = GrantError.safeParse(body)
  if (grant.success) return grant.data.error
  const { data } = ErrorBody.safeParse(body)
  const reason =
    data?.error.details?.find((detail) => detail.reason)?.reason ??
    data?.error.errors?.[0]?.reason ??
    data?.error.status
  return reason !== undefined && /^\w{1,50}$/.test(reason) ? reason : ''
}

export async function readJson<Schema extends z.ZodType>(response: HttpResponse, schema: Schema, limitBytes: number) {
  const parsed = schema.safeParse(await response.json(limitBytes))
  if (!parsed.success) throw new SheetError(NOT_UNDERSTOOD)
  return parsed.data
}
