import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { createEmbeddings } from '@watchdesk/server/adapters/embeddings/embeddings'
import { LEXICAL_MODEL, lexicalVector } from '@watchdesk/server/adapters/embeddings/lexical'
import { median, saveResults } from './results.ts'
import { IS_SHORT, setting } from './settings.ts'

/** The built-in model: texts per second and core, and how long the main thread is blocked meanwhile. */
const ROUNDS = setting('BENCH_ROUNDS', 5, 1)
const TEXTS = IS_SHORT ? 1000 : 20_000
const LENGTH = 73
const SAMPLE = 'Влада приховує від людей справжню кількість постраждалих, кажуть очевидці з міста '

const texts = Array.from({ length: TEXTS }, (_, index) => `${index} ${SAMPLE}`.slice(0, LENGTH))
for (const text of texts) lexicalVector(text)

const rates = []
for (let round = 0; round < ROUNDS; round += 1) {
  const before = process.cpuUsage()
  for (const text of texts) lexicalVector(text)
  const { user, system } = process.cpuUsage(before)
  rates.push(TEXTS / ((user + system) / 1e6))
}

const embeddings = createEmbeddings({})
await embeddings.embed(LEXICAL_MODEL, ['warm'])
const results = {
  'texts of 73 characters per CPU-second': Math.round(median(rates)),
  'longest block of the event loop, idle, ms': await longestBlock(() => wait(1000)),
  'longest block while the thread embeds, ms': await longestBlock(embedAll),
}
console.table(results)
await saveResults({ 'built-in model': results })
await embeddings.close()

/** In batches of the same size as in a run. */
async function embedAll() {
  const size = embeddings.batchSize(LEXICAL_MODEL)
  for (let from = 0; from < TEXTS; from += size) {
    await embeddings.embed(LEXICAL_MODEL, texts.slice(from, from + size))
  }
}

async function longestBlock(work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await work()
  delay.disable()
  return Math.round(delay.max / 1e6)
}
