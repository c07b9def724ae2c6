import autocannon from 'autocannon'
import type { Contender, Work } from './contender.ts'
import type { Bench } from './open.ts'
import { postgresSeconds, processorSeconds } from './process-usage.ts'

/** `cpu` is the CPU time in milliseconds per request: of the server, of PostgreSQL and of the load generator. */
export type Run = { perSecond: number; p99: number; cpu: { server: number; postgres: number; client: number } }

type Load = { work: Work; connections: number; seconds: number }

/** Works that finish so few requests in the given time that those still running at its end would matter. */
const slow = new Set<Work>()
const MIN_PER_CONNECTION = 10
const SLOW_PER_CONNECTION = 2
const SAMPLE_MS = 100

export function isSlow(work: Work) {
  return slow.has(work)
}

let sent = 0

/**
 * Sends one kind of request to a server, or to several replicas, for some seconds, or a fixed number if it is slow.
 * Throws unless all of them succeed.
 */
export async function load(bench: Bench, replicas: Contender[], settings: Load): Promise<Run> {
  const { work, connections, seconds } = settings
  const before = await cpuSeconds(bench, replicas)
  const results = await Promise.all(
    replicas.map((replica) => send(options(replica, { work, seconds, connections: connections / replicas.length }))),
  )
  // Requests without a response still run, and would slow down the next contender.
  await bench.untilIdle()
  const after = await cpuSeconds(bench, replicas)
  const done = sum(results.map((result) => result['2xx']))
  const failed = sum(results.map((result) => result.non2xx + result.errors))
  if (failed > 0) throw new Error(`${failed} of ${done + failed} requests failed`)
  if (done < MIN_PER_CONNECTION * connections && !slow.has(work)) {
    slow.add(work)
    return load(bench, replicas, settings)
  }
  const ms = (name: keyof typeof after) => (1000 * (after[name] - before[name])) / done
  return {
    perSecond: sum(results.map((result) => result['2xx'] / result.seconds)),
    p99: Math.max(...results.map((result) => result.latency.p99)),
    cpu: { server: ms('server'), postgres: ms('postgres'), client: ms('client') },
  }
}

/** With the time until the last response: autocannon does not look at once whether it has sent the fixed number. */
async function send(settings: autocannon.Options) {
  const start = performance.now()
  let last = start
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(settings, (error, done) => (error ? reject(error) : resolve(done)))
    instance.on('response', () => {
      last = performance.now()
    })
  })
  return { ...result, seconds: settings.amount === undefined ? result.duration : (last - start) / 1000 }
}

function options({ url, headers }: Contender, { work, connections, seconds }: Load): autocannon.Options {
  const { method = 'GET', path, body, contentType = 'application/json' } = work
  return {
    url,
    connections,
    ...(slow.has(work) ? { amount: SLOW_PER_CONNECTION * connections } : { duration: seconds }),
    timeout: 60,
    // Whether it is finished is only checked when a sample is taken.
    sampleInt: SAMPLE_MS,
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
  }
}

async function cpuSeconds({ postmaster }: Bench, replicas: Contender[]) {
  return {
    server: sum(await Promise.all(replicas.map(({ pid }) => (pid ? processorSeconds({ pid }) : Number.NaN)))),
    postgres: await postgresSeconds(postmaster),
    client: await processorSeconds(process),
  }
}

function sum(list: number[]) {
  return list.reduce((total, value) => total + value, 0)
}
