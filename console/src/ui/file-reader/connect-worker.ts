import type { Handlers, Request, Response } from './serve-worker.ts'

/** Stops a reader that hangs. Workers report progress far more often. */
const TIMEOUT_MS = 30_000

const MESSAGES = {
  start: 'Part of this page could not be loaded. Check your connection and try again, or reload the page.',
  crash: 'The file reader stopped unexpectedly. Try again, or split the file into smaller ones.',
  silence: 'It took too long. Try again, or split the file into smaller ones.',
  closed: 'The file was closed.',
}

/** The worker failed, which says nothing about the file. */
export class WorkerError extends Error {
  override name = 'WorkerError'
  readonly reason: keyof typeof MESSAGES

  constructor(reason: keyof typeof MESSAGES, cause?: unknown) {
    super(MESSAGES[reason], { cause })
    this.reason = reason
  }
}

type ProgressOf<Handler extends Handlers[string]> = Parameters<Handler>[1] extends (progress: infer Progress) => void
  ? Progress
  : never

type Call = { resolve: (result: never) => void; reject: (error: WorkerError) => void; onProgress: (_: never) => void }

/**
 * Calls the handlers of a worker. Any failure (loading, an exception, a rejection, a message that cannot be sent or
 * read, or a timeout) terminates it, rejects pending and later calls, and is passed to `onFailure` once.
 */
export function connectWorker<Served extends Handlers>(
  worker: Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>,
  onFailure: (error: WorkerError) => void,
) {
  const calls = new Map<number, Call>()
  let calledCount = 0
  let hasStarted = false
  let ended: WorkerError | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  worker.addEventListener('message', ({ data }: MessageEvent<Response | null>) => {
    hasStarted = true
    if (!data) return fail(new WorkerError('crash'))
    const call = calls.get(data.id)
    if (!call) return
    if ('error' in data) return fail(new WorkerError('crash', data.error))
    if ('progress' in data) call.onProgress(data.progress as never)
    else {
      calls.delete(data.id)
      call.resolve(data.result as never)
    }
    restartTimer()
  })
  worker.addEventListener('messageerror', () => fail(new WorkerError('crash')))
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    fail(new WorkerError(hasStarted ? 'crash' : 'start', event))
  })

  function call<Name extends keyof Served & string>(
    name: Name,
    argument: Parameters<Served[Name]>[0],
    onProgress: (progress: ProgressOf<Served[Name]>) => void = () => {},
  ) {
    return new Promise<Awaited<ReturnType<Served[Name]>>>((resolve, reject) => {
      if (ended) return reject(ended)
      calledCount += 1
      calls.set(calledCount, { resolve, reject, onProgress })
      try {
        worker.postMessage({ id: calledCount, name, argument } satisfies Request)
        restartTimer()
      } catch (error) {
        // The argument cannot be cloned.
        fail(new WorkerError('crash', error))
      }
    })
  }

  function restartTimer() {
    clearTimeout(timer)
    if (calls.size > 0) timer = setTimeout(() => fail(new WorkerError('silence')), TIMEOUT_MS)
  }

  function fail(error: WorkerError) {
    if (ended) return
    close(error)
    onFailure(error)
  }

  function close(error = new WorkerError('closed')) {
    ended ??= error
    clearTimeout(timer)
    worker.terminate()
    for (const { reject } of calls.values()) reject(error)
    calls.clear()
  }

  return { call, close: () => close() }
}
