export type Task = {
  name: string
  /** After each end. */
  everyMs: number
  /** After the start of the server; at once by default. */
  firstMs?: number
  run(): Promise<unknown>
}

/**
 * An outage is reported once, and errors during shutdown are not: the next run, on any replica, catches up. Every replica
 * runs all tasks, so they must be safe to run at the same time. Returns a function that stops them.
 */
export function startTasks(tasks: Task[], onError: (error: unknown, name: string) => void) {
  const stops = tasks.map((task) => repeat(task, (error) => onError(error, task.name)))
  return () => {
    for (const stop of stops) stop()
  }
}

function repeat({ everyMs, firstMs = 0, run }: Task, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let isStopped = false
  let hasFailed = false
  const runOnce = async () => {
    try {
      await run()
      hasFailed = false
    } catch (error) {
      if (!isStopped && !hasFailed) onError(error)
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(runOnce, everyMs).unref()
  }
  timer = setTimeout(runOnce, firstMs).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
