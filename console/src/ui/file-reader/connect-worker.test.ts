import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectWorker, type WorkerError } from './connect-worker.ts'
import { serveWorker } from './serve-worker.ts'

const handlers = {
  double: (number: number) => number * 2,
  async count(to: number, report: (progress: number) => void) {
    for (let number = 1; number <= to; number += 1) report(number)
    return 'done'
  },
  async reject() {
    throw new RangeError('Invalid string length')
  },
  unsendable: () => () => {},
  hang: () => new Promise(() => {}),
}

const START = /^Part of this page could not be loaded\. Check your connection/
const CRASH = /^The file reader stopped unexpectedly\. Try again/
const close: (() => void)[] = []

/** A message channel carries real messages; only `error` has to be dispatched by the test. */
function connect() {
  const { port1: page, port2: worker } = new MessageChannel()
  const end = () => page.close()
  close.push(end)
  const failures: WorkerError[] = []
  const port = Object.assign(page, { terminate: end })
  serveWorker(handlers, worker)
  worker.start()
  page.start()
  const { call, close: closeWorker } = connectWorker<typeof handlers>(port, (error) => failures.push(error))
  return { call, close: closeWorker, failures, page }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  for (const end of close.splice(0)) end()
})

test('a call reports its progress, and then its result', async () => {
  const { call, failures } = connect()
  const progress: number[] = []
  expect(await Promise.all([call('double', 21), call('count', 3, (one) => progress.push(one))])).toEqual([42, 'done'])
  expect(progress).toEqual([1, 2, 3])
  expect(failures).toEqual([])
})

type Connection = ReturnType<typeof connect>

test.each<[string, (call: Connection['call']) => Promise<unknown>]>([
  ['an argument that cannot be sent', (call) => call('double', (() => {}) as never)],
  ['a call that rejects', (call) => call('reject', undefined)],
  ['a result that cannot be sent', (call) => call('unsendable', undefined)],
])('%s fails its call, and so does every other one', async (_, fail) => {
  const { call, failures } = connect()
  const waiting = expect(call('hang', undefined)).rejects.toThrow(CRASH)
  await expect(fail(call)).rejects.toThrow(CRASH)
  await waiting
  await expect(call('double', 1)).rejects.toThrow(CRASH)
  expect(failures).toHaveLength(1)
})

test('pending calls fail if the worker does not start', async () => {
  const { call, failures, page } = connect()
  const waiting = expect(call('hang', undefined)).rejects.toThrow(START)
  page.dispatchEvent(new Event('error'))
  await waiting
  await expect(call('double', 1)).rejects.toThrow(START)
  expect(failures).toHaveLength(1)
})

test.each([
  ['an event error', new Event('error')],
  ['an event messageerror', new Event('messageerror')],
  ['a message without content', new MessageEvent('message', { data: null })],
])('%s after the start is a crash', async (_, event) => {
  const { call, failures, page } = connect()
  await call('double', 1)
  const waiting = expect(call('hang', undefined)).rejects.toThrow(CRASH)
  page.dispatchEvent(event)
  await waiting
  expect(failures).toHaveLength(1)
})

test('a call without progress for half a minute times out; an idle worker does not', async () => {
  const { call, failures } = connect()
  await call('double', 1)
  vi.advanceTimersByTime(60_000)
  const waiting = expect(call('hang', undefined)).rejects.toThrow('It took too long.')
  vi.advanceTimersByTime(29_000)
  await call('count', 1)
  vi.advanceTimersByTime(29_000)
  expect(failures).toEqual([])
  vi.advanceTimersByTime(1_000)
  await waiting
  expect(failures).toHaveLength(1)
})

test('closing a worker rejects pending and later calls, without reporting a failure', async () => {
  const { call, close, failures } = connect()
  const waiting = expect(call('hang', undefined)).rejects.toThrow('The file was closed.')
  close()
  await waiting
  await expect(call('double', 1)).rejects.toThrow('The file was closed.')
  expect(failures).toEqual([])
})
