import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { startWorker } from '../../worker.ts'
import { LEXICAL_LENGTH } from './lexical.ts'

/** A thread for CPU-intensive tasks: started with the first task, and restarted if it dies. */
export function createThread() {
  let thread: ReturnType<typeof start> | undefined

  return {
    async vectors(texts: string[]) {
      thread ??= start()
      const { worker, ended } = thread
      const { port1: response, port2: port } = new MessageChannel()
      worker.postMessage({ texts, port }, [port])
      const [all = new Float32Array()]: Float32Array[] = await once(response, 'message', { signal: ended }).catch(
        () => {
          throw ended.reason
        },
      )
      response.close()
      return texts.map((_, index) => all.subarray(index * LEXICAL_LENGTH, (index + 1) * LEXICAL_LENGTH))
    },
    async close() {
      await thread?.worker.terminate()
    },
  }

  function start() {
    const worker = startWorker('adapters/embeddings/embeddings', { data: undefined })
    const end = new AbortController()
    // An idle thread does not keep the process alive. Tasks do, with their ports.
    worker.unref()
    worker.on('error', stop)
    worker.on('exit', () => stop(new Error('The embeddings thread ended')))
    return { worker, ended: end.signal }

    function stop(reason: Error) {
      if (thread?.worker === worker) thread = undefined
      end.abort(reason)
    }
  }
}
