import { readFileSync } from 'node:fs'

/** Texts that make careless patterns, normalization and splitting take quadratic time. */
const FILLINGS: Record<string, string> = {
  'combining marks': '\u0301',
  'mixed marks': 'a\u0301\u0323',
  'ligatures of eighteen letters': '\ufdfa',
  slashes: '/',
  spaces: ' ',
  brackets: '[(',
  'pairs of surrogates': '\ud83d\ude42',
  'halves of surrogates': '\ud800',
  dots: '.',
  'signs of patterns': '%_\\',
  zeros: '0',
  quotes: '"\'',
  mixed: "/ \u0301[(\ud83d\ude42.0@%'",
}

export const PATHOLOGICAL = Object.keys(FILLINGS)

/** Repeats a text up to a length, followed by a character that does not match. */
export function pathological(kind: string, length: number) {
  const filling = FILLINGS[kind] ?? ''
  return `${filling.repeat(Math.max(0, Math.floor((length - 1) / filling.length)))}x`
}

const TICK_MS = 5

/** CPU time of this thread in milliseconds, which does not depend on the load of the machine. */
function threadTime() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return performance.now()
  }
}

export type Load = {
  /** The longest time that the event loop was blocked. */
  blockedMs: number
  /** CPU time of all other threads: workers and the thread pool. */
  workersMs: number
}

export async function measureLoad(work: () => Promise<unknown>): Promise<Load> {
  const start = { thread: threadTime(), all: process.cpuUsage() }
  let last = start.thread
  let blockedMs = 0
  const tick = () => {
    const now = threadTime()
    blockedMs = Math.max(blockedMs, now - last)
    last = now
  }
  const timer = setInterval(tick, TICK_MS)
  try {
    await work()
  } finally {
    tick()
    clearInterval(timer)
  }
  const { user, system } = process.cpuUsage(start.all)
  return { blockedMs, workersMs: (user + system) / 1000 - (last - start.thread) }
}

const MOST = { blockedMs: 100, workersMs: 5_000 }

/** By how much the work exceeds the limits in each of three attempts. */
export async function overload(work: () => Promise<unknown>): Promise<Load | undefined> {
  let load: Load = { blockedMs: 0, workersMs: 0 }
  for (let attempt = 0; attempt < 3; attempt += 1) {
    load = await measureLoad(work)
    if (load.blockedMs <= MOST.blockedMs && load.workersMs <= MOST.workersMs) return undefined
  }
  return load
}
