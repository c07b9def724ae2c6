import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { backoffMs, HttpError, type HttpRequest, retry, sendRequest, withDeadline } from '../http.ts'
import { AirflowError, type AirflowResponse, reasonOf, requestError, responseError } from './error.ts'

export type AirflowSettings = {
  url: string
  version: '2' | '3'
  username: string
  password: string
  dagId: string
  /** For a whole call, with all its attempts. */
  timeoutMs?: number
}

export const TIMEOUT_MS = 20_000
const LIMIT_BYTES = 1_048_576
const ATTEMPTS = 4
/** Fractions of the timeout. A request that hangs leaves time for a retry. */
const REQUEST_FRACTION = 0.4
const FIRST_DELAY_FRACTION = 1 / 80

export type Call = ReturnType<ReturnType<typeof createClient>>

/** A call can make several requests within one timeout. */
export function createClient({ url, version, username, password, dagId, timeoutMs = TIMEOUT_MS }: AirflowSettings) {
  const { origin, pathname } = new URL(url)
  // Credentials in the address are not used, and must not get into messages.
  const base = `${origin}${withoutTrailingSlashes(pathname)}`
  const dag = `${base}/api/${version === '2' ? 'v1' : 'v2'}/dags/${pathSegment(dagId)}`
  let token: Promise<string> | undefined

  return function startCall() {
    const endsAt = performance.now() + timeoutMs
    const remainingMs = () => endsAt - performance.now()

    async function request(method: 'GET' | 'POST', path: string, expected: readonly number[], json?: object) {
      const response = await sendAuthorized(dag + path, { method, ...(json && { json }) })
      const { status, body } = response
      // A 404 without a reason does not come from Airflow.
      const isExpected = expected.includes(status) && (status !== 404 || reasonOf(body))
      if (isExpected && isObject(body)) return { status, body }
      throw responseError(response, { base, version, dagId, isSignIn: false })
    }

    async function sendAuthorized(url: string, request: HttpRequest) {
      const sendAs = (authorization: string) => send(url, { ...request, headers: { authorization } })
      if (version === '2') return sendAs(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
      const bearer = sharedToken()
      const response = await sendAs(await bearer)
      // 401: expired. 403: signed with an old secret of the server, or really forbidden.
      if (response.status !== 401 && response.status !== 403) return response
      return sendAs(await sharedToken(bearer))
    }

    /** All calls share one token. It is renewed if it is the one that Airflow rejected. */
    function sharedToken(rejected?: Promise<string>) {
      if (token && token !== rejected) return token
      const fresh = requestToken()
      fresh.catch(() => {
        if (token === fresh) token = undefined
      })
      token = fresh
      return fresh
    }

    async function requestToken() {
      const request = { method: 'POST', json: { username, password } }
      const response = await send(`${base}/auth/token`, request).catch((error: unknown) => {
        throw error instanceof AirflowError ? error.with({ mayHaveStarted: false }) : error
      })
      const { status, body } = response
      const { access_token } = Object(body)
      if (status >= 200 && status < 300 && typeof access_token === 'string' && access_token) {
        return `Bearer ${access_token}`
      }
      throw responseError(response, { base, version, dagId, isSignIn: true })
    }

    /** Does not follow redirects: they would receive the password. */
    async function send(url: string, request: HttpRequest): Promise<AirflowResponse> {
      const ms = Math.max(1, Math.min(remainingMs(), timeoutMs * REQUEST_FRACTION))
      const headers = { accept: 'application/json', ...request.headers }
      return withDeadline({ ms }, async ({ signal }) => {
        const response = await sendRequest('airflow', url, { ...request, headers }, signal)
        return { ...response, body: await response.json(LIMIT_BYTES) }
      }).catch((error: unknown) => {
        throw error instanceof HttpError ? requestError(error, origin) : error
      })
    }

    function retried<Result>(work: () => Promise<Result>) {
      return retry(work, { attempts: ATTEMPTS, remainingMs, delayMs })
    }

    return {
      request,
      retry: retried,
      get: (path: string, expected: readonly number[]) => retried(() => request('GET', path, expected)),
    }
  }

  function delayMs(error: unknown, attempt: number) {
    if (!(error instanceof AirflowError) || !error.isTemporary) return
    return backoffMs(attempt, { firstMs: timeoutMs * FIRST_DELAY_FRACTION, retryAfterMs: error.retryAfterMs })
  }
}

function isObject(body: unknown): body is Record<string, unknown> {
  return Object(body) === body && !Array.isArray(body)
}

/** One segment of a path. Dots alone would lead to a parent folder, even if they are encoded. */
export function pathSegment(value: string) {
  if (!/^[\w.~:+-]{1,250}$/.test(value) || /^\.+$/.test(value)) {
    throw new AirflowError('Airflow has no run with that id.', { isUnknownRun: true })
  }
  return encodeURIComponent(value)
}
