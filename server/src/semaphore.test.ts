import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

/** A task that is under way until it is ended. */
function createTask() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { run: () => ended, end: () => end() }
}

test('as many tasks as the limit run at the same time, and the others in the order in which they came', async () => {
  const semaphore = new Semaphore({ limit: 2 })
  const tasks = Array.from({ length: 5 }, createTask)
  const started: number[] = []
  const all = tasks.map(({ run }, index) =>
    semaphore.run(() => {
      started.push(index)
      return run()
    }),
  )
  await settled()
  expect([started, semaphore.active]).toEqual([[0, 1], 2])
  tasks[1]?.end()
  await settled()
  expect(started).toEqual([0, 1, 2])
  for (const { end } of tasks) end()
  await Promise.all(all)
  expect([started, semaphore.active]).toEqual([[0, 1, 2, 3, 4], 0])
})

test('a task beyond the queue is rejected', async () => {
  const semaphore = new Semaphore({ limit: 1, maxWaiting: 1, refuse: () => new Error('full') })
  const release = await semaphore.acquire()
  const waiting = semaphore.acquire()
  await expect(semaphore.acquire()).rejects.toThrow('full')
  release()
  const releaseNext = await waiting
  releaseNext()
  expect(semaphore.active).toBe(0)
})

test('a waiting task that aborts frees its place in the queue and does not run', async () => {
  const semaphore = new Semaphore({ limit: 1, maxWaiting: 1 })
  const release = await semaphore.acquire()
  const aborting = new AbortController()
  const aborted = semaphore.acquire({ signal: aborting.signal })
  aborting.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  const next = semaphore.acquire()
  release()
  const releaseNext = await next
  expect(semaphore.active).toBe(1)
  releaseNext()
  await expect(semaphore.acquire({ signal: aborting.signal })).rejects.toThrow('gone')
  expect(semaphore.active).toBe(0)
})

test('an abort after the start has no effect, and a failed task frees its place', async () => {
  const semaphore = new Semaphore({ limit: 1 })
  const aborting = new AbortController()
  const release = await semaphore.acquire({ signal: aborting.signal })
  aborting.abort()
  expect(semaphore.active).toBe(1)
  release()
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(semaphore.active).toBe(0)
})

test('keys are served in turn, however many tasks one of them has', async () => {
  const semaphore = new Semaphore({ limit: 1, maxWaiting: 6, refuse: () => new Error('full') })
  const release = await semaphore.acquire()
  const order: string[] = []
  const leaving = new AbortController()
  const wait = (key: string, signal?: AbortSignal) => semaphore.run(async () => order.push(key), { key, signal })
  const all = ['a', 'a', 'a', 'b', 'c'].map((key) => wait(key))
  const left = wait('d', leaving.signal)
  await expect(wait('e')).rejects.toThrow('full')
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  release()
  await Promise.all(all)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a'])
  expect(semaphore.active).toBe(0)
})

test('each key has its own limit, and who waits for it delays no other key', async () => {
  const semaphore = new Semaphore({ limit: 2, perKey: 1 })
  const task = createTask()
  const started: string[] = []
  const start = (key: string, run: () => Promise<void>) =>
    semaphore.run(
      () => {
        started.push(key)
        return run()
      },
      { key },
    )
  const all = [start('a', task.run), start('a', async () => {}), start('b', async () => {})]
  await settled()
  expect([started, semaphore.count('a'), semaphore.count('b')]).toEqual([['a', 'b'], 2, 0])
  task.end()
  await Promise.all(all)
  expect([started, semaphore.count('a'), semaphore.active]).toEqual([['a', 'b', 'a'], 0, 0])
})

test('a caller can say in its own words why it is refused', async () => {
  const semaphore = new Semaphore({ limit: 1, maxWaiting: 0 })
  await semaphore.acquire()
  await expect(semaphore.acquire({ refuse: () => new Error('too many previews') })).rejects.toThrow('too many previews')
})

/** Everything that waits for nothing else has happened then. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}
