import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { errorText, SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import { parseJson } from '@watchdesk/contract/json'
import { waitForSignIn } from './session-lost.ts'
import { tokenOfThisUser } from './token.ts'

const BASE = import.meta.env.VITE_API_URL ?? ''
/** Backends on another origin may reject unknown headers. */
const IS_CROSS_ORIGIN = /^https?:/.test(BASE)
const TIMEOUT_MS = 30_000
/** The challenge of RFC 9470. */
const NEEDS_RECENT_SIGN_IN = /error="?insufficient_user_authentication/
export const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.'

type Types<S> = S extends { '~standard': { types?: infer T } } ? NonNullable<T> : never
type Output<S> = Types<S> extends { output: infer T } ? T : never
type Sent<S> = Types<S> extends { input: infer T } ? T : never

/**
 * Params and query have the types that the server parses them to, so an id is a number; here they become strings. A
 * body that is too large to serialize on the main thread is a blob of JSON from a worker.
 */
type Input<S> = (S extends { params: infer T } ? { params: Output<T> } : { params?: never }) &
  (S extends { querystring: infer T } ? { query?: Output<T> } : { query?: never }) &
  (S extends { headers: infer T } ? { headers?: Sent<T> } : { headers?: never }) &
  (S extends { body: infer T } ? BodyOf<Sent<T>> : { body?: never }) &
  Options

type BodyOf<Sent> = undefined extends Sent ? { body?: Sent | Blob } : { body: Sent | Blob }

type Options = {
  signal?: AbortSignal
  /** False for calls that handle a 401 themselves. */
  signInAgain?: false
  /** Sent instead of the stored token. The caller handles a 401. */
  token?: string
  /** Replaces the browser's `fetch`. */
  fetch?: Fetch
}
export type Fetch = (url: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>

export type CallArguments<S> = Record<never, never> extends Input<S> ? [input?: Input<S>] : [input: Input<S>]

export type ResponseBody<S> = S extends { response: infer T } ? Output<T[keyof T]> : never

/** A failed call: an error response, or no response at all (status 0). */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly body: unknown
  /** The text to show: the server's detail, or a general message. */
  readonly text: string
  /**
   * Retrying helps only if the server did not respond or failed itself. A call with its own time limit is not retried,
   * because that would double the limit.
   */
  readonly isRetryable: boolean

  /** The message includes the server's detail, if there is one. */
  constructor(status: number, body: unknown, message: string, { timeout_ms }: Pick<Endpoint['config'], 'timeout_ms'>) {
    const text = errorText(body)
    super(text === SOMETHING_WENT_WRONG ? message : text)
    this.status = status
    this.body = body
    this.text = text
    this.isRetryable = timeout_ms === undefined && (status === 0 || status >= 500)
  }
}

/** While the browser has no connection, reads wait for it instead of failing. */
export function offlineError() {
  return new ApiError(0, undefined, 'You are offline. Check your connection and try again.', {})
}

/** For an address of a record that cannot exist, such as `/imports/abc`: the same error as the server's. */
export function notFoundError(record: string) {
  return new ApiError(404, { detail: `${record} not found.` }, '', {})
}

/** Calls the endpoint and returns its result, or throws an `ApiError`. A call aborted by `signal` throws its reason. */
export async function call<S extends EndpointSchema>(
  endpoint: Endpoint<S>,
  ...given: CallArguments<S>
): Promise<ResponseBody<S>> {
  return (await callWithHeaders(endpoint, ...given)).body
}

/** Returns the response headers too. */
export async function callWithHeaders<S extends EndpointSchema>(
  endpoint: Endpoint<S>,
  ...[input]: CallArguments<S>
): Promise<{ body: ResponseBody<S>; headers: Headers }> {
  const response = await send(endpoint, (input ?? {}) as Untyped)
  return { body: await readBody(endpoint, response), headers: response.headers }
}

/** For a response that is a file. */
export async function callForFile<S extends EndpointSchema>(
  endpoint: Endpoint<S>,
  ...[input]: CallArguments<S>
): Promise<{ file: Blob; headers: Headers }> {
  const response = await send(endpoint, (input ?? {}) as Untyped)
  if (!response.ok) await readBody(endpoint, response)
  return { file: await response.blob(), headers: response.headers }
}

async function send(endpoint: Endpoint, given: Untyped): Promise<Response> {
  if (given.token !== undefined) return attempt(endpoint, given, given.token)
  const token = endpoint.config.access === 'public' ? null : await tokenOfThisUser()
  const response = await attempt(endpoint, given, token)
  if (response.status !== 401 || token === null || given.signInAgain === false) return response
  const isOld = NEEDS_RECENT_SIGN_IN.test(response.headers.get('www-authenticate') ?? '')
  if (!(await waitForSignIn(token, isOld ? 'confirm' : 'ended'))) return response
  // Once: a sign-in that is not recent enough right after signing in would be asked for again and again.
  return isOld ? attempt(endpoint, given, await tokenOfThisUser()) : send(endpoint, given)
}

async function attempt(endpoint: Endpoint, given: Untyped, token: string | null) {
  const timeout = AbortSignal.timeout(endpoint.config.timeout_ms ?? TIMEOUT_MS)
  try {
    const response = await (given.fetch ?? fetch)(address(endpoint.url, given), {
      method: endpoint.method,
      signal: given.signal ? AbortSignal.any([given.signal, timeout]) : timeout,
      ...content(endpoint, given, token),
    })
    // Read here, while the timeout still applies.
    return new Response(hasNoBody(response) ? null : await response.arrayBuffer(), response)
  } catch (error) {
    if (given.signal?.aborted) throw error
    const message = timeout.aborted ? 'The server took too long to respond. Try again.' : UNREACHABLE
    throw new ApiError(0, undefined, message, endpoint.config)
  }
}

function hasNoBody({ status }: Response) {
  return status === 204 || status === 205 || status === 304
}

type Untyped = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: Record<string, unknown> | Blob
} & Options

function address(url: string, { params, query }: Untyped) {
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    // Lists of ids are separated by commas. Texts may contain commas, so theirs are repeated.
    const isTexts = Array.isArray(value) && value.some((one) => typeof one === 'string')
    for (const one of isTexts ? value : [value]) {
      // An empty list is left out.
      if (one !== undefined && String(one) !== '') search.append(name, String(one))
    }
  }
  return BASE + path + (search.size > 0 ? `?${search}` : '')
}

function content({ config }: Endpoint, given: Untyped, token: string | null): Pick<RequestInit, 'body' | 'headers'> {
  const headers = new Headers(given.headers)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (IS_CROSS_ORIGIN) headers.delete('idempotency-key')
  if (given.body === undefined) return { headers }
  const isJson = config.content_type !== 'multipart/form-data'
  if (isJson) headers.set('content-type', 'application/json')
  if (given.body instanceof Blob) return { headers, body: given.body }
  return { headers, body: isJson ? JSON.stringify(given.body) : formData(given.body) }
}

function formData(body: Record<string, unknown>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) form.set(name, value instanceof Blob ? value : String(value))
  }
  return form
}

async function readBody<T>({ config }: Endpoint, response: Response): Promise<T> {
  const text = await response.text()
  const body = text === '' ? undefined : parseJson(text)
  if (!response.ok)
    throw new ApiError(response.status, body, `The server responded with status ${response.status}.`, config)
  if (text !== '' && body === undefined)
    throw new ApiError(0, undefined, 'The server’s response could not be read. Try again.', config)
  return body as T
}
