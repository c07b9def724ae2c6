import { unavailable } from './problem.ts'

/** Lets so many works go on at once, makes so many wait for their turn, and turns the others away. */
export function createTurnstile({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  let free = atOnce
  const queue: (() => void)[] = []

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve))
    else throw unavailable('Too many files are being imported. Try again in a minute.', 60)
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
