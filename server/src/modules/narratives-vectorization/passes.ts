import { addTally, createTally, type Tally, type Target } from '../../adapters/embeddings/similarities.ts'
import { Problem, unavailable } from '../../problem.ts'
import type { Semaphores } from '../../semaphore.ts'

/** Identifies the vectors of one narrative and model. */
export type Vectors = { narrative_id: number; model: string; length: number }

/** A range of story ids. */
export type Range = { after: number; upTo: number }

/** Compares the next stories of a range with all targets. Returns null when no stories are left. */
export type ReadPart = (range: Range, targets: Target[]) => Promise<{ last: number; tallies: Tally[] } | null>

type Call = {
  target: Target
  tally: Tally
  /** The story after which the call joined the pass; not set until the current part has been read. */
  from?: number
  resolve(tally: Tally): void
  reject(error: unknown): void
}

type Pass = { vectors: Vectors; calls: Set<Call>; close(): void; abort(): void }

type ComparisonSemaphores = Pick<Semaphores, 'comparisonCalls' | 'comparisonPasses'>

/** A vectorization call has 30 s in total, including the time in the queue. */
const DEADLINE_MS = 25_000
const LAST_ID = Number.MAX_SAFE_INTEGER

export const cutOff = () => new Problem(400, 'The request was interrupted.')
const tooLong = () =>
  unavailable('Comparing the stories of this narrative takes too long right now. Try again in a minute.', 60)

/**
 * Reads the vectors of a narrative once for all concurrent calls. A call can join a pass at any point of its first lap;
 * what it missed is read in a second lap. So no call waits for others longer than one pass.
 */
export function createPasses(
  { comparisonCalls, comparisonPasses }: ComparisonSemaphores,
  open: (vectors: Vectors) => Promise<ReadPart>,
) {
  const joinable = new Map<string, Pass>()
  return {
    compare: (vectors: Vectors, target: Target, signal: AbortSignal) =>
      comparisonCalls.run(() => compare(vectors, target, signal)),
  }

  async function compare(vectors: Vectors, target: Target, signal: AbortSignal): Promise<Tally> {
    if (signal.aborted) throw cutOff()
    let leave = (_error: unknown) => {}
    const left = () => leave(cutOff())
    const timer = setTimeout(() => leave(tooLong()), DEADLINE_MS)
    signal.addEventListener('abort', left)
    try {
      return await new Promise<Tally>((resolve, reject) => {
        const call: Call = { target, tally: createTally(target), resolve, reject }
        const pass = join(vectors, call)
        leave = (error) => {
          pass.calls.delete(call)
          if (pass.calls.size === 0) pass.abort()
          reject(error)
        }
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', left)
    }
  }

  function join(vectors: Vectors, call: Call) {
    const key = JSON.stringify(vectors)
    const joined = joinable.get(key)
    joined?.calls.add(call)
    if (joined) return joined
    const aborting = new AbortController()
    const pass: Pass = { vectors, calls: new Set([call]), close, abort }
    function close() {
      if (joinable.get(key) === pass) joinable.delete(key)
    }
    /** Also cancels waiting for the semaphore or for a part. */
    function abort() {
      close()
      aborting.abort()
    }
    joinable.set(key, pass)
    comparisonPasses
      .run(() => run(pass), aborting.signal)
      .catch((error: unknown) => {
        close()
        for (const { reject } of pass.calls) reject(error)
      })
    return pass
  }

  async function run({ vectors, calls, close }: Pass) {
    let [at, upTo] = [0, LAST_ID]
    const read = await open(vectors)
    while (calls.size > 0) {
      const present = [...calls]
      for (const call of present) call.from ??= at
      const targets = present.map(({ target }) => target)
      const part = await read({ after: at, upTo }, targets)
      if (part) {
        present.forEach(({ tally, target }, index) => {
          const more = part.tallies[index]
          if (more) addTally(tally, target, more)
        })
        at = part.last
        continue
      }
      // The end of the first lap, or of the part that a call missed.
      const isFirstLap = upTo === LAST_ID
      for (const call of calls) {
        call.from ??= at
        if (call.from !== (isFirstLap ? 0 : upTo)) continue
        calls.delete(call)
        call.resolve(call.tally)
      }
      if (isFirstLap) close()
      at = isFirstLap ? 0 : upTo
      upTo = Math.min(...[...calls].map(({ from }) => from ?? LAST_ID))
    }
    close()
  }
}
