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

type Method = 'GET' | 'POST'

export type Client = ReturnType<typeof createClient>
export type Call = ReturnType<Client['startCall']>

/** Authenticated requests to Airflow's API. */
export function createClient({ url, version, username, password, dagId, timeoutMs = TIMEOUT_MS }: AirflowSettings) {
  const { origin, pathname } = new URL(url)
  // Credentials in the address are not used, and must not get into messages.
  const base = `${origin}${withoutTrailingSlashes(pathname)}`
  const dag = `${base}/api/${version === '2' ? 'v1' : 'v2'}/dags/${pathSegment(dagId)}`
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  let token: Promise<string> | undefined

  /** Does not follow redirects: they would receive the password. */
  function send(url: string, request: HttpRequest, ms: number): Promise<AirflowResponse> {
    const headers = { accept: 'application/json', ...request.headers }
    return withDeadline({ ms }, async ({ signal }) => {
      const response = await sendRequest('airflow', url, { ...request, headers }, signal)
      return { ...response, body: await response.json(LIMIT_BYTES) }
    }).catch((error: unknown) => {
      throw error instanceof HttpError ? requestError(error, origin) : error
    })
  }

  /** All calls share one token. It is renewed if it is the one that Airflow rejected. */
  function bearer(timeout: number, rejected?: string) {
    const signIn = () => {
      const fresh = requestToken(timeout)
      fresh.catch(() => {
        if (token === fresh) token = undefined
      })
      token = fresh
      return fresh
    }
    if (!token) return signIn()
    return token.then((known) => (known === rejected ? signIn() : known))
  }

  async function requestToken(timeout: number) {
    const request = { method: 'POST', json: { username, password } }
    const response = await send(`${base}/auth/token`, request, timeout).catch((error: unknown) => {
      throw error instanceof AirflowError ? error.with({ mayHaveStarted: false }) : error
    })
    const { access_token } = Object(response.body)
    if (isSuccess(response) && typeof access_token === 'string' && access_token) return `Bearer ${access_token}`
    throw responseError(response, { base, version, dagId, isSignIn: true })
  }

  return {
    dagId,
    /** A call can make several requests within one timeout. */
    startCall() {
      const endsAt = performance.now() + timeoutMs
      const remainingMs = () => endsAt - performance.now()
      const timeout = () => Math.max(1, Math.min(remainingMs(), timeoutMs * REQUEST_FRACTION))

      async function request(method: Method, path: string, json?: object): Promise<AirflowResponse> {
        const sendAs = (authorization: string) =>
          send(dag + path, { method, json, headers: { authorization } }, timeout())
        if (version === '2') return sendAs(basic)
        const first = await bearer(timeout())
        const response = await sendAs(first)
        // 401: expired. 403: signed with an old secret of the server, or really forbidden.
        if (response.status !== 401 && response.status !== 403) return response
        const second = await bearer(timeout(), first)
        return second === first ? response : sendAs(second)
      }

      const call = {
        /** Throws if the status is not an expected one. */
        async request(method: Method, path: string, expected: readonly number[], body?: object) {
          const response = await request(method, path, body)
          // A 404 without a reason does not come from Airflow.
          const isExpected = expected.includes(response.status) && (response.status !== 404 || reasonOf(response.body))
          if (isExpected && isObject(response.body)) return { status: response.status, body: response.body }
          throw responseError(response, { base, version, dagId, isSignIn: false })
        },
        get: (path: string, expected: readonly number[]) => call.retry(() => call.request('GET', path, expected)),
        retry: <Result>(work: () => Promise<Result>) =>
          retry(work, {
            attempts: ATTEMPTS,
            remainingMs,
            delayMs: (error, attempt) =>
              error instanceof AirflowError && error.isTemporary
                ? backoffMs(attempt, { firstMs: timeoutMs * FIRST_DELAY_FRACTION, retryAfterMs: error.retryAfterMs })
                : undefined,
          }),
      }
      return call
    },
  }
}

function isSuccess({ status }: AirflowResponse) {
  return status >= 200 && status < 300
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
