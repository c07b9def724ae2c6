import { on } from 'node:events'
import { parentPort, type ResourceLimits, Worker, workerData } from 'node:worker_threads'

/** Workers run from it also in tests, which update it first: worker threads of Node 20 cannot load TypeScript. */
const BUILD = new URL('../dist/', import.meta.url)

type Options = { data: unknown; resourceLimits?: ResourceLimits }

/** Starts `<name>.worker.ts`, without the settings and secrets of the environment. */
export function startWorker(name: string, { data, resourceLimits }: Options) {
  return new Worker(new URL(`${name}.worker.js`, BUILD), { workerData: data, resourceLimits, env: {}, execArgv: [] })
}

/** How many items a worker may be ahead of its consumer. */
const AHEAD = 4

type StreamOptions = Options & {
  signal?: AbortSignal
  /** The maximum time until the next item. */
  silenceMs: number
}

export class SilentWorkerError extends Error {}

/** Yields the items that a worker sends with `streamToParent`, with backpressure. Ending early kills the worker. */
export async function* streamFromWorker<Item>(name: string, options: StreamOptions): AsyncGenerator<Item> {
  const { signal, silenceMs } = options
  signal?.throwIfAborted()
  const silence = new AbortController()
  const worker = startWorker(name, options)
  const messages = on(worker, 'message', {
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    close: ['exit'],
  })
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(), silenceMs)
      const { value, done } = await messages.next().finally(() => clearTimeout(timer))
      const message: { item: Item } | { end: true } | undefined = value?.[0]
      if (done || message === undefined) throw new Error(`The worker ${name} ended before its work was done`)
      if ('end' in message) return
      yield message.item
      worker.postMessage('taken')
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw silence.signal.aborted ? new SilentWorkerError(`The worker ${name} was silent for ${silenceMs} ms`) : error
  } finally {
    await worker.terminate()
  }
}

/** The worker's side: yields the items for its data. Errors are rethrown in the parent. */
export async function streamToParent<Data, Item>(make: (data: Data) => AsyncIterable<Item>) {
  const port = parentPort
  if (!port) throw new Error('Not in a worker')
  const taken = on(port, 'message')
  let free = AHEAD
  for await (const item of make(workerData)) {
    if (free === 0) await taken.next()
    else free -= 1
    port.postMessage({ item })
  }
  port.postMessage({ end: true })
  port.close()
}
