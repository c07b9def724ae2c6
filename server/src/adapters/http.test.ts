import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { close, freePort, listen } from '../../test/helpers/loopback.ts'
import { databaseFailure } from '../db/errors.ts'
import {
  backoffMs,
  type HttpError,
  type HttpRequest,
  outboundRequests,
  retry,
  sendRequest,
  withDeadline,
} from './http.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let handler: Handler
const requests: IncomingMessage[] = []
const server = createServer((request, response) => {
  requests.push(request)
  handler(request, response)
})
const base = await listen(server)

beforeEach(() => outboundRequests.reset())
afterEach(() => {
  requests.length = 0
})
afterAll(() => close(server))

const LIMIT_BYTES = 1000
const TIME = { ms: 20_000 }

function getJson(request: HttpRequest = {}, time: { ms: number; signal?: AbortSignal } = TIME, url = base) {
  return withDeadline(time, async ({ signal }) => {
    const response = await sendRequest('test', url, request, signal)
    return { ...response, body: await response.json(LIMIT_BYTES) }
  })
}

/** Counts by outcome, as `/metrics` shows them. */
async function outcomes() {
  const { values } = await outboundRequests.get()
  const counts = values.filter(({ metricName }) => metricName?.endsWith('_count'))
  return Object.fromEntries(counts.map(({ labels, value }) => [labels.outcome, value]))
}

function failure(work: Promise<unknown>): Promise<HttpError> {
  return work.then(
    () => expect.unreachable('it worked'),
    (error) => error,
  )
}

describe('a request', () => {
  test('sends JSON and reads JSON', async () => {
    handler = async (request, response) => response.end(JSON.stringify({ received: await text(request) }))
    const { status, body } = await getJson({ method: 'POST', json: { a: 1 }, headers: { 'x-key': 'k' } })
    expect([status, body]).toEqual([200, { received: '{"a":1}' }])
    expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-key': 'k' })
    expect(await outcomes()).toEqual({ 200: 1 })
  })

  test('has no JSON body if the response is something else', async () => {
    handler = (_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')
    expect(await getJson()).toMatchObject({ status: 502, body: undefined })
    expect(await outcomes()).toEqual({ 502: 1 })
  })

  test.each<[string, Handler]>([
    ['before the response', () => {}],
    ['within the body', (_request, response) => response.writeHead(200).write('[')],
  ])('that hangs %s times out', async (_when, hang) => {
    handler = hang
    expect(await failure(getJson({}, { ms: 100 }))).toMatchObject({ kind: 'timeout' })
    expect(await outcomes()).toEqual({ timeout: 1 })
  })

  test('ends when the caller aborts, with the reason of the caller', async () => {
    const controller = new AbortController()
    const reason = new Error('no longer needed')
    handler = () => controller.abort(reason)
    expect(await failure(getJson({}, { ...TIME, signal: controller.signal }))).toBe(reason)
    expect(await failure(getJson({}, { ...TIME, signal: controller.signal }))).toBe(reason)
    expect(requests.length).toBe(1)
    expect(await outcomes()).toEqual({ aborted: 1 })
  })

  test.each<[string, Handler]>([
    ['before the response', (request) => request.socket.destroy()],
    ['within the body', (request, response) => response.write('[', () => request.socket.destroy())],
  ])('whose connection breaks %s is a network error', async (_when, breakOff) => {
    handler = breakOff
    expect(await failure(getJson())).toMatchObject({ kind: 'network' })
    expect(await outcomes()).toEqual({ network: 1 })
  })

  test('says why there is no connection, which does not look like an outage of the database', async () => {
    const error = await failure(getJson({}, TIME, `http://127.0.0.1:${await freePort()}`))
    expect(error).toMatchObject({ kind: 'network', networkCode: 'ECONNREFUSED' })
    expect(databaseFailure(error)).toBeUndefined()
  })

  test('reads no more than the limit', async () => {
    handler = (_request, response) => response.end(`"${'x'.repeat(LIMIT_BYTES - 2)}"`)
    expect((await getJson()).body).toHaveLength(LIMIT_BYTES - 2)
    handler = (_request, response) => response.end(`"${'x'.repeat(LIMIT_BYTES - 1)}"`)
    expect(await failure(getJson())).toMatchObject({ kind: 'too_large', limitBytes: LIMIT_BYTES })
    expect(await outcomes()).toEqual({ 200: 1, too_large: 1 })
  })

  test('whose body is cancelled, or read in part, is counted', async () => {
    handler = (_request, response) => response.end('a page')
    await withDeadline(TIME, async ({ signal }) => {
      const cancelled = await sendRequest('test', base, {}, signal)
      await cancelled.cancel()
      const { chunks } = await sendRequest('test', base, {}, signal)
      for await (const _chunk of chunks(LIMIT_BYTES)) break
    })
    expect(await outcomes()).toEqual({ 200: 2 })
  })
})

describe('a redirect', () => {
  const redirectTo = (location?: string): Handler => {
    return ({ url }, response) =>
      url === '/end' ? response.end('"end"') : response.writeHead(302, location === undefined ? {} : { location }).end()
  }
  const paths = () => requests.map(({ url }) => url)

  test('is not followed by default', async () => {
    handler = redirectTo('/end')
    expect((await getJson()).status).toBe(302)
    expect(paths()).toEqual(['/'])
  })

  test('is followed to where the caller allows it, and counts as one request', async () => {
    handler = redirectTo('/end')
    const targets: string[] = []
    const { body } = await getJson({ checkRedirect: (url) => void targets.push(url.href) })
    expect([body, targets]).toEqual(['end', [`${base}/end`]])
    expect(await outcomes()).toEqual({ 200: 1 })
  })

  test('is refused with the error of the caller, before anything is sent there', async () => {
    handler = redirectTo('/end')
    const refuse = () => {
      throw new Error('not there')
    }
    expect(await failure(getJson({ checkRedirect: refuse }))).toEqual(new Error('not there'))
    expect(paths()).toEqual(['/'])
    expect(await outcomes()).toEqual({ redirect: 1 })
  })

  test.each([undefined, 'http://', '/again'])('to %s ends', async (location) => {
    handler = redirectTo(location)
    expect(await failure(getJson({ checkRedirect: () => {} }))).toMatchObject({ kind: 'redirect' })
    expect(requests.length).toBe(location === '/again' ? 4 : 1)
    expect(await outcomes()).toEqual({ redirect: 1 })
  })
})

describe('Retry-After', () => {
  const retryAfterMs = async (value: string) => {
    handler = (_request, response) => response.writeHead(503, { 'retry-after': value }).end()
    return (await getJson()).retryAfterMs
  }

  test.each([
    ['3', 3000],
    ['0.5', 500],
    ['9999999', 9_999_999_000],
    ['-1', 0],
    ['soon', 0],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('%j is %i ms', async (value, ms) => {
    expect(await retryAfterMs(value)).toBe(ms)
  })

  test('can be a date', async () => {
    const ms = await retryAfterMs(new Date(Date.now() + 3_600_000).toUTCString())
    expect(ms).toBeGreaterThan(3_000_000)
    expect(ms).toBeLessThanOrEqual(3_600_000)
  })
})

describe('a retry', () => {
  const failing = (times: number) => {
    const work = async () => {
      work.attempts += 1
      if (work.attempts <= times) throw new Error(`attempt ${work.attempts}`)
      return 'done'
    }
    work.attempts = 0
    return work
  }
  const options = { remainingMs: () => 1000, delayMs: (): number | undefined => 0 }

  test('ends with the first success', async () => {
    expect(await retry(failing(2), options)).toBe('done')
  })

  test('ends with the last error after the last attempt', async () => {
    await expect(retry(failing(9), { ...options, attempts: 3 })).rejects.toThrow('attempt 3')
  })

  test('ends at an error that is final', async () => {
    const delayMs = (_error: unknown, attempt: number) => (attempt === 2 ? undefined : 0)
    await expect(retry(failing(9), { ...options, delayMs })).rejects.toThrow('attempt 2')
  })

  test('ends at once when the delay is longer than the time that is left', async () => {
    await expect(retry(failing(9), { ...options, delayMs: () => 1000 })).rejects.toThrow('attempt 1')
  })

  test('ends when the caller aborts during a delay', async () => {
    const controller = new AbortController()
    const delayMs = () => {
      controller.abort()
      return 900
    }
    await expect(retry(failing(9), { ...options, delayMs, signal: controller.signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
  })
})

test('delays double up to the maximum, with jitter of up to a half, and never undercut Retry-After', () => {
  const backoff = { firstMs: 100, maxMs: 400 }
  for (const [attempt, least] of [100, 200, 400, 400].entries()) {
    const delays = Array.from({ length: 50 }, () => backoffMs(attempt + 1, backoff))
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(least)
    expect(Math.max(...delays)).toBeLessThan(least * 1.5)
    expect(new Set(delays).size).toBeGreaterThan(1)
  }
  expect(backoffMs(1, { ...backoff, retryAfterMs: 3000 })).toBeGreaterThanOrEqual(3000)
})
