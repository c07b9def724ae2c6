import { type MessagePort, parentPort } from 'node:worker_threads'
import { LEXICAL_LENGTH, lexicalVector } from './lexical.ts'

parentPort?.on('message', ({ texts, port }: { texts: string[]; port: MessagePort }) => {
  const vectors = new Float32Array(texts.length * LEXICAL_LENGTH)
  texts.forEach((text, index) => {
    vectors.set(lexicalVector(text), index * LEXICAL_LENGTH)
  })
  port.postMessage(vectors, [vectors.buffer])
})
