import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { SheetError } from './sheets.ts'

const TRIES = 5
const ERROR_BYTES = 65_536
const RATE_LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded', 'RATE_LIMIT_EXCEEDED']

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
  readonly retryAfter: string | null

  constructor(status: number, reason: string, retryAfter: string | null = null) {
    super(refusalText(status, reason))
    this.status = status
    this.reason = reason
    this.retryAfter = retryAfter
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

export type Deadline = { signal: AbortSignal; endsAt: number; firstWaitMs: number }

export type Sending = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Carried out twice, it would do harm. */
  once?: boolean
}

/** Work with Google that ends in time, and fails with a text for people. */
export async function within<Result>(
  { ms, firstWaitMs, signal }: { ms: number; firstWaitMs: number; signal?: AbortSignal },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, ms)
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    return await work({ signal: controller.signal, endsAt: Date.now() + ms, firstWaitMs })
  } catch (error) {
    if (signal?.aborted || controller.signal.aborted) {
      throw new SheetError('Google Sheets did not answer in time. Try again later.')
    }
    if (isBrokenConnection(error)) throw new SheetError('Google Sheets cannot be reached. Try again later.')
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** An answer or a redirect, which is not followed; a busy service is asked again after a while. */
export async function send(url: string | URL, sending: Sending, deadline: Deadline): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(url, sending, deadline)
    } catch (error) {
      const pause = pauseAfter(error, attempt, sending, deadline)
      if (pause === undefined || attempt === TRIES || Date.now() + pause >= deadline.endsAt) throw error
      await wait(pause, undefined, { signal: deadline.signal })
    }
  }
}

async function attemptOnce(url: string | URL, { method, headers, body }: Sending, { signal }: Deadline) {
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
  if (response.status < 400) return response
  throw new GoogleRefusal(response.status, await reasonOf(response), response.headers.get('retry-after'))
}

/** How long to wait before the next try; nothing where there is none. */
function pauseAfter(error: unknown, attempt: number, { once }: Sending, { firstWaitMs }: Deadline) {
  // A connection that was kept open may have ended meanwhile: worth one more try, not a minute of them.
  if (isBrokenConnection(error)) return once || attempt > 1 ? undefined : 0
  if (!(error instanceof GoogleRefusal)) return
  // After these two, nothing was done; after another failure of the service, who knows.
  const isHarmless = error.isRate || error.status === 503
  if (!isHarmless && (once || error.status < 500)) return
  const asked = /^\d{1,4}$/.test(error.retryAfter ?? '') ? Number(error.retryAfter) * 1000 : 0
  const usual = firstWaitMs * 2 ** (attempt - 1)
  return Math.max(asked, usual) + Math.random() * usual * 0.5
}

/** Only words that Google chooses from a list: a message could repeat what was sent. */
async function reasonOf(response: Response) {
  const body = parseJson(await readText(response, ERROR_BYTES).catch(nothingIfTooLong))
  const grant = GrantError.safeParse(body)
  if (grant.success) return grant.data.error
  const { data } = ErrorBody.safeParse(body)
  const reason =
    data?.error.details?.find((detail) => detail.reason)?.reason ??
    data?.error.errors?.[0]?.reason ??
    data?.error.status
  return reason !== undefined && /^\w{1,50}$/.test(reason) ? reason : ''
}

function nothingIfTooLong(error: unknown) {
  if (error instanceof SheetError) return ''
  throw error
}

export async function readJson<Schema extends z.ZodType>(response: Response, schema: Schema, limitBytes: number) {
  const parsed = schema.safeParse(parseJson(await readText(response, limitBytes)))
  if (!parsed.success) throw new SheetError(NOT_UNDERSTOOD)
  return parsed.data
}

async function readText(response: Response, limitBytes: number) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > limitBytes) throw tooLarge(limitBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function tooLarge(limitBytes: number) {
  const size = Math.floor(limitBytes / 1_048_576).toLocaleString('en')
  return new SheetError(`The sheet is larger than ${size} MB. Split it into smaller ones.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isBrokenConnection(error: unknown) {
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated')
}
