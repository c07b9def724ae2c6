import { setTimeout as wait } from 'node:timers/promises'

export type Task = {
  name: string
  /** After each end. */
  everyMs: number
  /** After the start of the server; at once by default. */
  firstMs?: number
  run(): Promise<unknown>
}

/** A failure is reported once until the task works again, and none after the stop. Returns a function that stops them. */
export function startTasks(tasks: Task[], onError: (error: unknown, name: string) => void) {
  let isStopped = false
  for (const task of tasks) void repeat(task)
  return () => {
    isStopped = true
  }

  async function repeat({ name, everyMs, firstMs = 0, run }: Task) {
    let hasFailed = false
    for (let pauseMs = firstMs; ; pauseMs = everyMs) {
      await wait(pauseMs, undefined, { ref: false })
      if (isStopped) return
      try {
        await run()
        hasFailed = false
      } catch (error) {
        if (!isStopped && !hasFailed) onError(error, name)
        hasFailed = true
      }
    }
  }
}
