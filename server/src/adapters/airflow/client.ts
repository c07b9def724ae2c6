import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { backoffMs, HttpError, type HttpRequest, retry, sendRequest, withDeadline } from '../http.ts'
import { AirflowError } from './error.ts'
import { type Answer, answerError, noAnswerError, reasonOf } from './response-errors.ts'

export type AirflowSettings = {
  url: string
  version: '2' | '3'
  username: string
  password: string
  dagId: string
  /** Within this every call ends, all its attempts included. */
  timeoutMs?: number
}

const TIMEOUT_MS = 20_000
const LIMIT_BYTES = 1_048_576
const ATTEMPTS = 4
/** As parts of the time-out: a request that hangs leaves time to look again. */
const REQUEST_PART = 0.4
const FIRST_DELAY_PART = 1 / 80

type Method = 'GET' | 'POST'

export type Client = ReturnType<typeof createClient>
export type Call = ReturnType<Client['begin']>

/** Requests to Airflow's API, signed in. */
export function createClient({ url, version, username, password, dagId, timeoutMs = TIMEOUT_MS }: AirflowSettings) {
  const { origin, pathname } = new URL(url)
  // What an address holds of a user and password stays out of requests and messages.
  const base = `${origin}${withoutTrailingSlashes(pathname)}`
  const dag = `${base}/api/${version === '2' ? 'v1' : 'v2'}/dags/${segment(dagId)}`
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  let token: Promise<string> | undefined

  /** Redirects are not followed: they would take the password along. */
  function send(url: string, request: HttpRequest, ms: number): Promise<Answer> {
    const headers = { accept: 'application/json', ...request.headers }
    return withDeadline({ ms }, async ({ signal }) => {
      const response = await sendRequest('airflow', url, { ...request, headers }, signal)
      return { ...response, body: await response.json(LIMIT_BYTES) }
    }).catch((error: unknown) => {
      throw error instanceof HttpError ? noAnswerError(error, origin) : error
    })
  }

  /** The token of all calls; a new one where the one that is known to be refused is still the latest. */
  function bearer(timeout: number, refused?: string) {
    const signIn = () => {
      const fresh = requestToken(timeout)
      fresh.catch(() => {
        if (token === fresh) token = undefined
      })
      token = fresh
      return fresh
    }
    if (!token) return signIn()
    return token.then((known) => (known === refused ? signIn() : known))
  }

  async function requestToken(timeout: number) {
    const request = { method: 'POST', json: { username, password } }
    const answer = await send(`${base}/auth/token`, request, timeout).catch((error: unknown) => {
      throw error instanceof AirflowError ? error.with({ mayHaveStarted: false }) : error
    })
    const { access_token } = Object(answer.body)
    if (isGood(answer) && typeof access_token === 'string' && access_token) return `Bearer ${access_token}`
    throw answerError(answer, { base, version, dagId, isSignIn: true })
  }

  return {
    dagId,
    /** A call of ours: as many requests as its time allows. */
    begin() {
      const end = performance.now() + timeoutMs
      const remainingMs = () => end - performance.now()
      const timeout = () => Math.max(1, Math.min(remainingMs(), timeoutMs * REQUEST_PART))

      async function request(method: Method, path: string, json?: object): Promise<Answer> {
        const sendAs = (authorization: string) =>
          send(dag + path, { method, json, headers: { authorization } }, timeout())
        if (version === '2') return sendAs(basic)
        const first = await bearer(timeout())
        const answer = await sendAs(first)
        // 401: expired. 403: signed by a server that has since been given another secret, or really not allowed.
        if (answer.status !== 401 && answer.status !== 403) return answer
        const second = await bearer(timeout(), first)
        return second === first ? answer : sendAs(second)
      }

      const call = {
        /** The answer, where its status is one of those; anything else is an error. */
        async request(method: Method, path: string, expected: readonly number[], body?: object) {
          const answer = await request(method, path, body)
          // A 404 without a reason is of something else that answers at this address.
          const isFine = expected.includes(answer.status) && (answer.status !== 404 || reasonOf(answer.body))
          if (isFine && isObject(answer.body)) return { status: answer.status, body: answer.body }
          throw answerError(answer, { base, version, dagId, isSignIn: false })
        },
        get: (path: string, expected: readonly number[]) => call.retried(() => call.request('GET', path, expected)),
        retried: <Result>(work: () => Promise<Result>) =>
          retry(work, {
            attempts: ATTEMPTS,
            remainingMs,
            delayMs: (error, attempt) =>
              error instanceof AirflowError && error.isPassing
                ? backoffMs(attempt, { firstMs: timeoutMs * FIRST_DELAY_PART, retryAfterMs: error.retryAfterMs })
                : undefined,
          }),
      }
      return call
    },
  }
}

function isGood({ status }: Answer) {
  return status >= 200 && status < 300
}

function isObject(body: unknown): body is Record<string, unknown> {
  return Object(body) === body
}

/** As one step of a path. Dots alone would climb, however they are written. */
export function segment(value: string) {
  if (!/^[\w.~:+-]{1,250}$/.test(value) || /^\.+$/.test(value)) {
    throw new AirflowError('Airflow has no run of that id.', { isUnknownRun: true })
  }
  return encodeURIComponent(value)
}
