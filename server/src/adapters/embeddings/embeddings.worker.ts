import { parentPort } from 'node:worker_threads'
import { LEXICAL_LENGTH, lexicalVector } from './lexical.ts'
import { similarities } from './similarities.ts'
import type { Task } from './thread.ts'

parentPort?.on('message', ({ number, task }: { number: number; task: Task }) => {
  if (task.kind === 'similarities') {
    parentPort?.postMessage({ number, result: similarities(task.target, task.bytes) })
    return
  }
  const vectors = new Float32Array(task.texts.length * LEXICAL_LENGTH)
  task.texts.forEach((text, index) => {
    vectors.set(lexicalVector(text), index * LEXICAL_LENGTH)
  })
  parentPort?.postMessage({ number, result: vectors }, [vectors.buffer])
})
