import { readFileSync } from 'node:fs'

/** What makes careless patterns, normalisation and splitting take the square of a length. */
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

/** As many of them as fit into a length, ended by something that does not fit the pattern. */
export function pathological(kind: string, length: number) {
  const filling = FILLINGS[kind] ?? ''
  return `${filling.repeat(Math.max(0, Math.floor((length - 1) / filling.length)))}x`
}

const TICK_MS = 5

/** Processor time of this thread alone, in milliseconds: a busy machine makes it no longer. */
function threadTime() {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return performance.now()
  }
}

export type Load = {
  /** The longest that the event loop was kept busy without a break. */
  blockedMs: number
  /** What all other threads took: workers, and those that write and hash. */
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

/** What a work loads the server with beyond what it may, each time of three. */
export async function overload(work: () => Promise<unknown>): Promise<Load | undefined> {
  let load: Load = { blockedMs: 0, workersMs: 0 }
  for (let attempt = 0; attempt < 3; attempt += 1) {
    load = await measureLoad(work)
    if (load.blockedMs <= MOST.blockedMs && load.workersMs <= MOST.workersMs) return undefined
  }
  return load
}
