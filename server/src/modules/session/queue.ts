/** Runs the works of one key one after the other, and those of different keys side by side. */
export function createQueue() {
  const last = new Map<string, Promise<unknown>>()

  return async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    try {
      return await turn
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
