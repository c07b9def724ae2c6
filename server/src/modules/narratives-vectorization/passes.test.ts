import { expect, onTestFinished, test, vi } from 'vitest'
import { similarities, type Target } from '../../adapters/embeddings/similarities.ts'
import { createSemaphores } from '../../semaphore.ts'
import { createPasses, type Range, type Vectors } from './passes.ts'

const STORIES = Array.from({ length: 23 }, (_, index) => index * 3 + 1)
const AT_ONCE = 4
const PARTS = Math.ceil(STORIES.length / AT_ONCE)
const VECTORS: Vectors = { narrative_id: 1, model: 'lexical', length: 2 }
const THRESHOLDS = [0, 0.25, 0.5, 0.75, 1]

function vectorOf(angle: number) {
  return Float32Array.of(Math.cos(angle), Math.sin(angle))
}

/** Some stories are the same. */
function storyVector(id: number) {
  return vectorOf(id % 7)
}

/** A story as read: its id, the number of bytes, and its vector. */
function entryOf(id: number) {
  const bytes = Buffer.alloc(20)
  bytes.writeBigInt64BE(BigInt(id), 0)
  bytes.writeInt32BE(8, 8)
  storyVector(id).forEach((value, at) => {
    bytes.writeFloatLE(value, 12 + at * 4)
  })
  return bytes
}

function targetOf(angle: number): Target {
  return { vector: vectorOf(angle), thresholds: THRESHOLDS, limit: 5 }
}

/** The expected result, computed from the list of stories. */
function expected(target: Target, stories = STORIES) {
  const scored = stories
    .map((id) => {
      const cosine = storyVector(id).reduce((sum, value, at) => sum + value * (target.vector[at] ?? 0), 0)
      return { id, similarity: Math.round(cosine * 1e6) / 1e6 }
    })
    .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
  const passing = THRESHOLDS.map((threshold) => scored.filter(({ similarity }) => similarity >= threshold).length)
  return { count: stories.length, passing, nearest: scored.slice(0, 5) }
}

/** Passes over a list of stories; the test controls when each part is read. */
function passesOver(stories: number[]) {
  const reads: Range[] = []
  const waiting: (() => void)[] = []
  let failure: Error | undefined
  const semaphores = createSemaphores({ DATABASE_POOL_SIZE: 10 })
  const passes = createPasses(semaphores, async () => async ({ after, upTo }, targets) => {
    reads.push({ after, upTo })
    await new Promise<void>((resolve) => waiting.push(resolve))
    if (failure) throw failure
    const next = stories.filter((id) => id > after && id <= upTo).slice(0, AT_ONCE)
    const last = next.at(-1)
    return last === undefined
      ? null
      : { last, tallies: similarities(targets, new Uint8Array(Buffer.concat(next.map(entryOf)))) }
  })
  /** Lets pending reads finish, and waits for their effects. */
  async function step() {
    for (const resolve of waiting.splice(0)) resolve()
    await settled()
  }
  return {
    reads,
    call: (angle: number, vectors = VECTORS, signal = new AbortController().signal) =>
      passes.compare(vectors, targetOf(angle), signal),
    step,
    async finish() {
      while (waiting.length > 0) await step()
    },
    fail(error?: Error) {
      failure = error
    },
  }
}

/** Waits for everything that needs no further read. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}

const joins = Array.from({ length: PARTS + 1 }, (_, second) =>
  Array.from({ length: PARTS + 1 - second }, (_, more) => [second, second + more] as const),
).flat()

test.each(joins)(
  'calls that join during parts %i and %i of a pass get the same result as alone',
  async (second, third) => {
    const { reads, call, step, finish } = passesOver(STORIES)
    const calls = [call(1)]
    await settled()
    for (let part = 0; part <= PARTS; part += 1) {
      if (part === second) calls.push(call(2))
      if (part === third) calls.push(call(3))
      await step()
    }
    await finish()
    expect(await Promise.all(calls)).toEqual([1, 2, 3].map((angle) => expected(targetOf(angle))))
    // Two laps at most. Each lap, and the position where a call joined, ends with a read that finds nothing.
    expect(reads.length).toBeLessThanOrEqual(2 * (PARTS + 1) + 1)
  },
)

test('concurrent calls share one pass', async () => {
  const { reads, call, finish } = passesOver(STORIES)
  const calls = [1, 2, 3, 4].map((angle) => call(angle))
  await settled()
  await finish()
  expect((await Promise.all(calls)).map(({ count }) => count)).toEqual(Array(4).fill(STORIES.length))
  expect(reads.length).toBe(PARTS + 1)
})

test('a story that is added or deleted between two laps is counted once or not at all', async () => {
  const stories = [...STORIES]
  const { call, step, finish } = passesOver(stories)
  const first = call(1)
  await settled()
  await step()
  const second = call(2)
  await step()
  stories.splice(2, 1)
  stories.push(1000)
  await finish()
  expect((await first).count).toBe(STORIES.length + 1)
  expect(await second).toEqual(expected(targetOf(2), stories))
})

test('an empty narrative returns immediately', async () => {
  const { call, finish } = passesOver([])
  const calls = [call(1), call(2)]
  await settled()
  await finish()
  expect(await Promise.all(calls)).toEqual(Array(2).fill(expected(targetOf(1), [])))
})

test('calls on other narratives or models are separate passes, two at a time', async () => {
  const { reads, call, step, finish } = passesOver(STORIES)
  const others = [VECTORS, { ...VECTORS, narrative_id: 2 }, { ...VECTORS, model: 'other' }]
  const calls = others.map((vectors) => call(1, vectors))
  await settled()
  expect(reads.length).toBe(2)
  for (let part = 0; part <= PARTS; part += 1) await step()
  expect(reads.length).toBe(2 * (PARTS + 1) + 1)
  await finish()
  expect((await Promise.all(calls)).map(({ count }) => count)).toEqual(Array(3).fill(STORIES.length))
})

test('a call that arrives in the second lap starts a new pass, so that every pass ends', async () => {
  const { reads, call, step, finish } = passesOver(STORIES)
  const calls = [call(1)]
  await settled()
  await step()
  calls.push(call(2))
  for (let part = 0; part <= PARTS; part += 1) await step()
  calls.push(call(3))
  await settled()
  expect(reads.slice(-2).map(({ after }) => after)).toContain(0)
  await finish()
  expect(await Promise.all(calls)).toEqual([1, 2, 3].map((angle) => expected(targetOf(angle))))
})

test('a call whose client disconnects does not affect the others; when all have disconnected, reading stops', async () => {
  const { reads, call, step } = passesOver(STORIES)
  const clients = [new AbortController(), new AbortController()]
  const calls = clients.map(({ signal }) => call(1, VECTORS, signal).catch((error) => error.message))
  await settled()
  await step()
  clients[0]?.abort()
  expect(await calls[0]).toBe('The request was interrupted.')
  await step()
  const before = reads.length
  clients[1]?.abort()
  expect(await calls[1]).toBe('The request was interrupted.')
  await step()
  expect(reads.length).toBe(before)
  await expect(call(1, VECTORS, AbortSignal.abort())).rejects.toThrow('The request was interrupted.')
})

test('the thirteenth call is rejected, and accepted as soon as another has left', async () => {
  const { call, finish } = passesOver(STORIES)
  const client = new AbortController()
  const calls = Array.from({ length: 11 }, (_, angle) => call(angle))
  const leaving = call(1, VECTORS, client.signal).catch(() => 'left')
  await expect(call(1)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '60' } })
  client.abort()
  expect(await leaving).toBe('left')
  calls.push(call(1))
  await finish()
  expect((await Promise.all(calls)).length).toBe(12)
})

test('if reading fails, all calls of the pass fail, and the next call starts a new pass', async () => {
  const { call, step, finish, fail } = passesOver(STORIES)
  const calls = [call(1), call(2)].map((failing) => failing.catch((error) => error.message))
  await settled()
  fail(new Error('The connection was lost'))
  await step()
  expect(await Promise.all(calls)).toEqual(Array(2).fill('The connection was lost'))
  fail()
  const next = call(1)
  await settled()
  await finish()
  expect((await next).count).toBe(STORIES.length)
})

test('cancelled calls take no place in the queue, and can be repeated', async () => {
  const { call, finish } = passesOver(STORIES)
  const running = [1, 2].map((narrative_id) => call(1, { ...VECTORS, narrative_id }))
  for (let narrative_id = 3; narrative_id < 40; narrative_id += 1) {
    const client = new AbortController()
    const left = call(1, { ...VECTORS, narrative_id }, client.signal).catch(({ status }) => status)
    client.abort()
    expect(await left).toBe(400)
  }
  const next = [3, 40].map((narrative_id) => call(1, { ...VECTORS, narrative_id }))
  await settled()
  await finish()
  expect((await Promise.all([...running, ...next])).map(({ count }) => count)).toEqual(Array(4).fill(STORIES.length))
})

test('a call without a result after 25 s gets 503, and the others get their results', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { call, finish } = passesOver(STORIES)
  const first = call(1).catch(({ status }: { status: number }) => status)
  await settled()
  vi.advanceTimersByTime(20_000)
  const second = call(2)
  vi.advanceTimersByTime(5_000)
  expect(await first).toBe(503)
  await finish()
  expect((await second).count).toBe(STORIES.length)
})
