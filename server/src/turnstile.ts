import { type Problem, unavailable } from './problem.ts'

type Limits = {
  atOnce: number
  waiting: number
  /** What those are told that find no room even for waiting. */
  full: () => Problem
}

/** Lets so many works go on at once, makes so many wait for their turn, and turns the others away. */
export function createTurnstile({ atOnce, waiting, full }: Limits) {
  let free = atOnce
  const queue: (() => void)[] = []

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
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

/** For work that takes a connection for as long as it lasts: most of them stay with everybody else. */
export function importTurns(poolSize: number, what: string) {
  const atOnce = Math.max(1, Math.min(2, Math.floor(poolSize / 4)))
  const full = () => unavailable(`Too many ${what}. Try again in a minute.`, 60)
  return createTurnstile({ atOnce, waiting: 10, full })
}
