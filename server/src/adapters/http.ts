import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseJson } from '@watchdesk/contract/json'
import { Histogram } from 'prom-client'

const MAX_REDIRECTS = 3

export const outboundRequests = new Histogram({
  name: 'http_client_request_duration_seconds',
  help: 'Duration of requests to other services, by service and outcome: the status code or the kind of failure',
  labelNames: ['service', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
  registers: [],
})

/** A request without a usable response. */
export class HttpError extends Error {
  readonly kind: 'timeout' | 'network' | 'redirect' | 'too_large'
  /** Such as ECONNREFUSED. Not called `code`: an outage of the database is recognized by that (`db/errors.ts`). */
  readonly networkCode: string
  readonly limitBytes: number

  constructor(kind: HttpError['kind'], { networkCode = '', limitBytes = 0 } = {}) {
    super(`The HTTP request failed (${[kind, networkCode].filter(Boolean).join(', ')}).`)
    this.kind = kind
    this.networkCode = networkCode
    this.limitBytes = limitBytes
  }
}

export type Deadline = { signal: AbortSignal; remainingMs(): number }

/** Throws a timeout `HttpError`, or the caller's reason. `AbortSignal.any` can lose timeouts (nodejs/node#57736). */
export async function withDeadline<Result>(
  { ms, signal }: { ms: number; signal?: AbortSignal },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const endsAt = performance.now() + ms
  const timer = setTimeout(() => controller.abort(new HttpError('timeout')), ms)
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    signal?.throwIfAborted()
    return await work({ signal: controller.signal, remainingMs: () => endsAt - performance.now() })
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

type RetryOptions = {
  attempts?: number
  remainingMs(): number
  signal?: AbortSignal
  /** The delay before the next attempt, or undefined if the error is final. */
  delayMs(error: unknown, attempt: number): number | undefined
}

export async function retry<Result>(
  work: () => Promise<Result>,
  { attempts = Number.POSITIVE_INFINITY, remainingMs, signal, delayMs }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const delay = attempt < attempts ? delayMs(error, attempt) : undefined
      if (delay === undefined || delay >= remainingMs()) throw error
      await wait(delay, undefined, { signal })
    }
  }
}

/** Exponential backoff, never less than `Retry-After`, with jitter so that clients do not retry in step. */
export function backoffMs(attempt: number, { firstMs, maxMs = Number.POSITIVE_INFINITY, retryAfterMs = 0 }: Backoff) {
  const delay = Math.min(firstMs * 2 ** (attempt - 1), maxMs)
  return Math.max(delay, retryAfterMs) + Math.random() * delay * 0.5
}

type Backoff = { firstMs: number; maxMs?: number; retryAfterMs?: number }

export type HttpRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string | URLSearchParams
  json?: object
  /** Allows redirects, except those it throws for. Headers are sent again, so never use it with credentials. */
  checkRedirect?(url: URL): void
}

export type HttpResponse = Awaited<ReturnType<typeof sendRequest>>

/** Sends one request, whose body must be read or cancelled. Throws `HttpError`, or the reason of an aborted signal. */
export async function sendRequest(service: string, url: string | URL, request: HttpRequest, signal: AbortSignal) {
  const endTimer = outboundRequests.startTimer({ service })
  const response = await fetchFollowing(url, request, signal).catch((error: unknown) => {
    endTimer({ outcome: outcomeOf(error, signal) })
    throw error
  })
  const { status, headers } = response

  async function* chunks(limitBytes: number): AsyncGenerator<Uint8Array> {
    let bytes = 0
    let outcome = String(status)
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length
        if (bytes > limitBytes) throw new HttpError('too_large', { limitBytes })
        yield chunk
      }
    } catch (thrown) {
      const error = toHttpError(thrown, signal)
      outcome = outcomeOf(error, signal)
      throw error
    } finally {
      endTimer({ outcome })
    }
  }

  return {
    status,
    headers,
    retryAfterMs: parseRetryAfter(headers.get('retry-after') ?? ''),
    chunks,
    /** Undefined if the body is not valid JSON. */
    json: async (limitBytes: number) => parseJson(await text(chunks(limitBytes))),
    async cancel() {
      endTimer({ outcome: String(status) })
      await response.body?.cancel()
    },
  }
}

function outcomeOf(error: unknown, { aborted }: AbortSignal) {
  if (error instanceof HttpError) return error.kind
  // Without an abort, any other error comes from `checkRedirect`.
  return aborted ? 'aborted' : 'redirect'
}

async function fetchFollowing(address: string | URL, request: HttpRequest, signal: AbortSignal) {
  const { json, checkRedirect, ...rest } = request
  const headers = { ...(json && { 'content-type': 'application/json' }), ...rest.headers }
  const init = { ...rest, headers, ...(json && { body: JSON.stringify(json) }), signal, redirect: 'manual' } as const
  let url = new URL(address)
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, init).catch((error: unknown) => {
      throw toHttpError(error, signal)
    })
    if (!checkRedirect || response.status < 300 || response.status >= 400) return response
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (redirects === MAX_REDIRECTS || !location || !URL.canParse(location, url.href)) throw new HttpError('redirect')
    url = new URL(location, url)
    checkRedirect(url)
  }
}

function parseRetryAfter(value: string) {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  return Math.max(0, Date.parse(value) - Date.now()) || 0
}

function toHttpError(error: unknown, { aborted, reason }: AbortSignal) {
  if (aborted) return reason
  return error instanceof HttpError ? error : new HttpError('network', { networkCode: codeOf(error) })
}

/** fetch hides the reason in its cause, and there in a list if a host has several addresses. */
export function codeOf(error: unknown): string {
  const { code, cause, errors } = Object(error)
  if (typeof code === 'string') return code
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return cause === undefined ? '' : codeOf(cause)
}

/** What is sent there does not leave this machine, so it need not be encrypted. */
export function isThisMachine(hostname: string) {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}
