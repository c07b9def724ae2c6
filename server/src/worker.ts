import { on } from 'node:events'
import { parentPort, type ResourceLimits, Worker, workerData } from 'node:worker_threads'

/**
 * Workers run from the build, also under the tests, which run everything else from its sources and bring the build up to
 * date first (`test/helpers/build.ts`): a worker thread of Node 20 reads no TypeScript.
 */
const BUILD = new URL('../dist/', import.meta.url)

type Options = { data: unknown; resourceLimits?: ResourceLimits }

/** Starts `<name>.worker.ts`. It is given neither the settings nor the secrets of the environment. */
export function startWorker(name: string, { data, resourceLimits }: Options) {
  return new Worker(new URL(`${name}.worker.js`, BUILD), { workerData: data, resourceLimits, env: {}, execArgv: [] })
}

/** How far a worker may be ahead of what was taken from it. */
const AHEAD = 4

type StreamOptions = Options & {
  signal?: AbortSignal
  /** How long the worker may take for its next item. */
  silenceMs: number
}

export class SilentWorkerError extends Error {}

/** What a worker makes with `streamToParent`, item by item, at the pace of whoever takes them; ended early, it is killed. */
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

/** The worker's side: makes the items from the data it was given. What it throws is thrown on the other side. */
export async function streamToParent<Data, Item>(make: (data: Data) => AsyncIterable<Item>) {
  const port = parentPort
  if (!port) throw new Error('Not in a worker')
  const taken = on(port, 'message')
  let free = AHEAD
  for await (const item of make(workerData)) {
    if (free === 0) await taken.next()
    else free -= 1
    port.postMessage({ item }, ownBuffersOf(item))
  }
  port.postMessage({ end: true })
  port.close()
}

/** Bytes that nothing else lies beside can change hands without a copy. */
function ownBuffersOf(item: unknown): ArrayBuffer[] {
  return Object.values(Object(item)).flatMap((value) =>
    value instanceof Uint8Array && value.byteLength === value.buffer.byteLength ? [value.buffer as ArrayBuffer] : [],
  )
}
