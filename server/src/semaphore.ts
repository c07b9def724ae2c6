import { type Problem, unavailable } from './problem.ts'

type Limits = {
  atOnce: number
  waiting: number
  /** The answer when the queue is full as well. */
  full: () => Problem
}

/** Runs at most `atOnce` tasks at a time, queues some more in their order, and refuses the rest. */
export function createSemaphore({ atOnce, waiting, full }: Limits) {
  let free = atOnce
  const queue: (() => void)[] = []

  return async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve))
    else throw full()
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** What one admitted call may use. */
export type ImportSlot = {
  /** Waits for its turn. A call that has a slot always gets one. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Gives the slot back, after the work that still runs. */
  leave(): void
}

export type ImportSemaphore = ReturnType<typeof createImportSemaphore>

const WAITING = 10

/**
 * One limit for all imports, exports and uploads together, checked before a body is read. Each holds a connection for as
 * long as it runs, so only a few run at once: most connections are left for everything else.
 */
export function createImportSemaphore(poolSize: number) {
  const atOnce = Math.max(1, Math.min(2, Math.floor(poolSize / 4)))
  const slots = atOnce + WAITING
  const full = () => unavailable('Too many imports and exports are running. Try again in a minute.', 60)
  const runInTurn = createSemaphore({ atOnce, waiting: slots, full })
  let taken = 0

  function enter(): ImportSlot {
    if (taken >= slots) throw full()
    taken += 1
    let running = 0
    let hasLeft = false
    let isFree = false

    function release() {
      if (isFree || !hasLeft || running > 0) return
      isFree = true
      taken -= 1
    }

    return {
      async run(work) {
        if (isFree) throw full()
        running += 1
        try {
          return await runInTurn(work)
        } finally {
          running -= 1
          release()
        }
      },
      leave() {
        hasLeft = true
        release()
      },
    }
  }

  return { enter, slots, taken: () => taken }
}
