import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../worker.ts'
import { LEXICAL_LENGTH } from './lexical.ts'
import type { Tally, Target } from './similarities.ts'

export type Task = { kind: 'vectors'; texts: string[] } | { kind: 'similarities'; target: Target; bytes: Uint8Array }

type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

/** A thread for CPU-intensive tasks: started with the first task, and restarted if it dies. */
export function createThread() {
  let worker: Worker | undefined
  let count = 0
  const waiting = new Map<number, Waiting>()

  return {
    async vectors(texts: string[]) {
      const all = (await ask({ kind: 'vectors', texts })) as Float32Array
      return texts.map((_, index) => all.subarray(index * LEXICAL_LENGTH, (index + 1) * LEXICAL_LENGTH))
    },
    similarities(target: Target, bytes: Uint8Array) {
      return ask({ kind: 'similarities', target, bytes }, [bytes.buffer as ArrayBuffer]) as Promise<Tally>
    },
    async close() {
      await worker?.terminate()
    },
  }

  function ask(task: Task, moved: ArrayBuffer[] = []) {
    return new Promise((resolve, reject) => {
      worker ??= start()
      worker.ref()
      count += 1
      waiting.set(count, { resolve, reject })
      worker.postMessage({ number: count, task }, moved)
    })
  }

  function start() {
    const started = startWorker('adapters/embeddings/embeddings', { data: undefined })
    let reason = new Error('The embeddings thread ended')
    started.on('message', ({ number, result }: { number: number; result: unknown }) => {
      waiting.get(number)?.resolve(result)
      waiting.delete(number)
      // An idle thread does not keep the process alive.
      if (waiting.size === 0) started.unref()
    })
    started.on('error', (error) => {
      reason = error
    })
    started.on('exit', () => {
      worker = undefined
      for (const { reject } of waiting.values()) reject(reason)
      waiting.clear()
    })
    return started
  }
}
