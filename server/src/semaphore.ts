import type { Env } from './env.ts'
import { unavailable } from './problem.ts'

type Options = {
  limit: number
  perKey?: number
  /** How many wait when no more can run. Further ones are refused. */
  maxWaiting?: number
  refuse?: () => Error
}

/** The key says for whom a task is, such as a user: the waiting tasks of all keys run in turn. */
type Task = { key?: unknown; signal?: AbortSignal; refuse?: () => Error }
type Waiting = { key: unknown; start(): void }

export class Semaphore {
  readonly limit: number
  readonly #options: Required<Options>
  #running: unknown[] = []
  #waiting: Waiting[] = []

  constructor(options: Options) {
    const unlimited = Number.POSITIVE_INFINITY
    this.#options = { perKey: unlimited, maxWaiting: unlimited, refuse: () => new Error('Too many wait'), ...options }
    this.limit = options.limit
  }

  get active() {
    return this.#running.length
  }

  count(key: unknown) {
    return [...this.#running, ...this.#waiting.map((waiting) => waiting.key)].filter((each) => each === key).length
  }

  async run<Result>(task: () => Promise<Result>, options?: Task): Promise<Result> {
    const release = await this.acquire(options)
    try {
      return await task()
    } finally {
      release()
    }
  }

  /** Resolves to a function that releases the place, once. A waiting caller is rejected when its signal aborts. */
  async acquire({ key, signal, refuse = this.#options.refuse }: Task = {}): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#mayRun(key)) this.#running.push(key)
    else if (this.#waiting.length < this.#options.maxWaiting) await this.#wait(key, signal)
    else throw refuse()
    let isReleased = false
    return () => {
      if (!isReleased) this.#release(key)
      isReleased = true
    }
  }

  #mayRun(key: unknown) {
    const { limit, perKey } = this.#options
    return this.active < limit && this.#running.filter((each) => each === key).length < perKey
  }

  #wait(key: unknown, signal: AbortSignal | undefined) {
    return new Promise<void>((resolve, reject) => {
      const waiting = { key, start }
      const abort = () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        reject(signal?.reason)
      }
      function start() {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      this.#waiting.push(waiting)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** The next task counts as running at once, so that no later one can take its place. */
  #release(key: unknown) {
    this.#running.splice(this.#running.indexOf(key), 1)
    const next = this.#waiting.find((each) => this.#mayRun(each.key))
    if (!next) return
    const others = this.#waiting.filter((each) => each !== next)
    // The others of this key move to the end: every other key has its turn first.
    const isSame = ({ key }: Waiting) => Number(key === next.key)
    this.#waiting = others.sort((one, other) => isSame(one) - isSame(other))
    this.#running.push(next.key)
    next.start()
  }
}

export type Semaphores = ReturnType<typeof createSemaphores>

/** docs/operations.md says what each protects. */
export function createSemaphores({ DATABASE_POOL_SIZE }: Pick<Env, 'DATABASE_POOL_SIZE'>) {
  // Each holds a connection while it runs, so the limit keeps most connections free for other calls.
  const longTasks = Math.max(1, Math.min(2, Math.floor(DATABASE_POOL_SIZE / 4)))
  return {
    // Sign-ins of one email would wait for each other in the database, each with a connection.
    signIns: new Semaphore({ limit: 8, perKey: 1, maxWaiting: 200, refuse: tooManySignIns }),
    signInHashes: new Semaphore({ limit: 2 }),
    // More than one, because a change may wait for the database, for example while another one locks the user.
    passwordChanges: new Semaphore({ limit: 2, maxWaiting: 200, refuse: tooManyPasswordChanges }),
    // Imports, exports and uploads are admitted before their body is read; then their work waits for `imports`.
    importCalls: new Semaphore({ limit: longTasks + 10, maxWaiting: 0, refuse: tooManyImports }),
    imports: new Semaphore({ limit: longTasks }),
    downloadParts: new Semaphore({ limit: 1 }),
    // Previews of changes and undos look at very many rows. Comparisons of stories and checks of links can take half a
    // minute, so they have places of their own. Each says with its own words that too many wait.
    previews: new Semaphore({ limit: longTasks, maxWaiting: 12 }),
    slowReads: new Semaphore({ limit: longTasks, maxWaiting: 12 }),
  }
}

export function tooManySignIns() {
  return unavailable('Too many sign-ins at once. Try again in a moment.', 2)
}

function tooManyPasswordChanges() {
  return unavailable('Too many passwords are being changed at once. Try again in a moment.', 2)
}

function tooManyImports() {
  return unavailable('Too many imports and exports are running. Try again in a minute.', 60)
}
