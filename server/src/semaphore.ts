import type { Env } from './env.ts'
import { Problem, unavailable } from './problem.ts'

type Options = {
  /** The maximum number of concurrent holders. */
  limit: number
  /** The maximum length of the queue; unlimited by default. */
  maxWaiting?: number
  /** The error for calls beyond the queue. */
  refuse?: () => Error
}

/**
 * Limits concurrency. Further tasks wait in a FIFO queue, and those beyond the queue are rejected. Tasks with keys have a
 * queue per key, and the keys are served in turn.
 */
export class Semaphore {
  readonly limit: number
  readonly #maxWaiting: number
  readonly #refuse: () => Error
  #active = 0
  #waitingCount = 0
  readonly #waiting = new Map<unknown, Set<() => void>>()

  constructor({ limit, maxWaiting = Number.POSITIVE_INFINITY, refuse = () => new Error('Too many wait') }: Options) {
    this.limit = limit
    this.#maxWaiting = maxWaiting
    this.#refuse = refuse
  }

  /** The current number of holders. */
  get active() {
    return this.#active
  }

  /** Resolves to a release function. A waiting caller is rejected when its signal aborts. */
  async acquire(signal?: AbortSignal, key?: unknown): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#active < this.limit) this.#active += 1
    else if (this.#waitingCount < this.#maxWaiting) await this.#wait(signal, key)
    else throw this.#refuse()
    let isReleased = false
    return () => {
      if (!isReleased) this.#release()
      isReleased = true
    }
  }

  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal, key?: unknown): Promise<Result> {
    const release = await this.acquire(signal, key)
    try {
      return await task()
    } finally {
      release()
    }
  }

  #wait(signal: AbortSignal | undefined, key: unknown) {
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const abort = () => {
        this.#remove(key, start)
        reject(signal?.reason)
      }
      const queue = this.#waiting.get(key) ?? new Set()
      this.#waiting.set(key, queue.add(start))
      this.#waitingCount += 1
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  #remove(key: unknown, start: () => void) {
    const queue = this.#waiting.get(key)
    if (!queue?.delete(start)) return
    this.#waitingCount -= 1
    if (queue.size === 0) this.#waiting.delete(key)
  }

  /** Passes the slot directly to the next caller in the queue, so that no later one can acquire it first. */
  #release() {
    const [first] = this.#waiting
    const [next] = first?.[1] ?? []
    if (!first || !next) {
      this.#active -= 1
      return
    }
    const [key, queue] = first
    // To the end: the next slot is for another key.
    this.#waiting.delete(key)
    this.#waiting.set(key, queue)
    this.#remove(key, next)
    next()
  }
}

/** A semaphore for each key. */
export class KeyedSemaphore<Key> {
  readonly #options: Options
  readonly #semaphores = new Map<Key, Semaphore>()

  constructor(options: Options) {
    this.#options = options
  }

  get limit() {
    return this.#options.limit
  }

  async run<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
    const semaphore = this.#semaphores.get(key) ?? new Semaphore(this.#options)
    this.#semaphores.set(key, semaphore)
    try {
      return await semaphore.run(task)
    } finally {
      const isUnused = semaphore.active === 0 && this.#semaphores.get(key) === semaphore
      if (isUnused) this.#semaphores.delete(key)
    }
  }
}

export type Semaphores = ReturnType<typeof createSemaphores>

/** All concurrency limits of a server. */
export function createSemaphores({ DATABASE_POOL_SIZE }: Pick<Env, 'DATABASE_POOL_SIZE'>) {
  // Each import holds a connection while it runs, so the limit keeps most connections free for other calls.
  const imports = Math.max(1, Math.min(2, Math.floor(DATABASE_POOL_SIZE / 4)))
  return {
    // A sign-in makes multiple queries: a flood of them must not occupy all connections.
    signIns: new Semaphore({ limit: 8, maxWaiting: 200, refuse: tooManySignIns }),
    // Sign-ins of one email wait for each other in the database, each with a connection: a flood of them would slow down
    // all other calls by half.
    signInsPerEmail: new KeyedSemaphore<string>({ limit: 1 }),
    // Argon2 takes tens of CPU milliseconds. Sign-ins have their own limit, so that password changes do not delay them.
    signInHashes: new Semaphore({ limit: 2, maxWaiting: 200, refuse: tooManySignIns }),
    passwordHashes: new Semaphore({ limit: 1, maxWaiting: 200, refuse: tooManyPasswordChanges }),
    // More than hashes: some read from the database while another one is hashed.
    passwordChanges: new Semaphore({ limit: 4, maxWaiting: 200, refuse: tooManyPasswordChanges }),
    passwordChangesPerUser: new KeyedSemaphore<number>({ limit: 20, maxWaiting: 0, refuse: tooManyOfOneUser }),
    // Imports, exports and uploads are admitted before their body is read; then their work waits in the queue.
    importCalls: new Semaphore({ limit: imports + 10, maxWaiting: 0, refuse: tooManyImports }),
    imports: new Semaphore({ limit: imports }),
    // Each part of a download holds a connection while it is read, and keeps the event loop busy afterwards.
    downloadParts: new Semaphore({ limit: 1 }),
    // Each reads all vectors of a narrative.
    comparisons: new Semaphore({ limit: 2, maxWaiting: 10, refuse: tooManyComparisons }),
    // Each looks at very many rows, and holds a connection meanwhile.
    previews: new Semaphore({ limit: imports, maxWaiting: 12, refuse: tooManyPreviews }),
    // Each sends a few requests to other sites, and waits for slow ones.
    linkChecks: new Semaphore({ limit: 4, maxWaiting: 12, refuse: tooManyLinkChecks }),
  }
}

export function tooManySignIns() {
  return unavailable('Too many sign-ins at once. Try again in a moment.', 2)
}

function tooManyPasswordChanges() {
  return unavailable('Too many passwords are being changed at once. Try again in a moment.', 2)
}

function tooManyOfOneUser() {
  const detail = 'You are setting too many passwords at once. Wait a moment and try again.'
  return new Problem(429, detail, { 'retry-after': '2' })
}

export function tooManyImports() {
  return unavailable('Too many imports and exports are running. Try again in a minute.', 60)
}

function tooManyComparisons() {
  return unavailable('Too many comparisons are running. Try again in a minute.', 60)
}

function tooManyPreviews() {
  return unavailable('Too many changes are being previewed. Try again in a moment.', 5)
}

function tooManyLinkChecks() {
  return unavailable('Too many links are being checked. Try again in a moment.', 5)
}
