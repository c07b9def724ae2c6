import { setTimeout as wait } from 'node:timers/promises'
import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { AirflowError } from './error.ts'
import { type Answer, exchange, type Request } from './exchange.ts'
import { answerError, reasonOf } from './refusals.ts'

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
const ATTEMPTS = 4
/** Of the whole time: what one request may take, so that a hang leaves time to look again; and the first pause. */
const ONE_REQUEST = 0.4
const FIRST_PAUSE = 1 / 80

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
    const request = { method: 'POST', url: `${base}/auth/token`, body: { username, password } } as const
    const answer = await exchange(request, timeout).catch((error: unknown) => {
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
      const left = () => end - performance.now()
      const timeout = () => Math.min(left(), timeoutMs * ONE_REQUEST)

      async function request(method: Request['method'], path: string, body?: object): Promise<Answer> {
        const send = (authorization: string) =>
          exchange({ method, url: dag + path, headers: { authorization }, ...(body && { body }) }, timeout())
        if (version === '2') return send(basic)
        const first = await bearer(timeout())
        const answer = await send(first)
        // 401: expired. 403: signed by a server that has since been given another secret, or really not allowed.
        if (answer.status !== 401 && answer.status !== 403) return answer
        const second = await bearer(timeout(), first)
        return second === first ? answer : send(second)
      }

      const call = {
        /** The answer, where its status is one of those; anything else is an error. */
        async request(method: Request['method'], path: string, expected: readonly number[], body?: object) {
          const answer = await request(method, path, body)
          // A 404 without a reason is of something else that answers at this address.
          const isFine = expected.includes(answer.status) && (answer.status !== 404 || reasonOf(answer.body))
          if (isFine && isObject(answer.body)) return { status: answer.status, body: answer.body }
          throw answerError(answer, { base, version, dagId, isSignIn: false })
        },
        get: (path: string, expected: readonly number[]) => call.retried(() => call.request('GET', path, expected)),
        /** Again what may pass, later and later, while there is time. */
        async retried<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
          for (let attempt = 1; ; attempt += 1) {
            try {
              return await work(attempt)
            } catch (error) {
              if (!(error instanceof AirflowError) || !error.isPassing || attempt === ATTEMPTS) throw error
              const pause = Math.max(timeoutMs * FIRST_PAUSE * 2 ** (attempt - 1), error.retryAfterMs)
              if (pause >= left()) throw error
              await wait(pause)
            }
          }
        },
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
