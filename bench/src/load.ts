import autocannon from 'autocannon'
import type { Contender, Work } from './contender.ts'

type Run = { perSecond: number; p99: number; requests: number }

let sent = 0

/** Sends one kind of request over this many connections for this many seconds. Throws unless all of them succeed. */
export async function load({ name, url, headers }: Contender, work: Work, connections: number, seconds: number) {
  const { method = 'GET', path, body, contentType = 'application/json' } = work
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { ...headers, ...(body && { 'content-type': contentType }) },
    requests: [
      {
        method,
        setupRequest: (request) => {
          sent += 1
          return { ...request, path: typeof path === 'string' ? path : path(sent), body: body?.(sent) }
        },
      },
    ],
  })
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${name}: ${failed} of ${result.requests.total} requests failed (${method} ${path})`)
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99, requests: result['2xx'] } satisfies Run
}
