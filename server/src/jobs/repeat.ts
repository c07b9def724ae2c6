/**
 * Runs work now and again some time after each end. An outage is reported once, and errors during shutdown are not: the
 * next run, on any replica, catches up. Returns a function that stops it.
 */
export function repeat(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let isStopped = false
  let hasFailed = false
  const run = async () => {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!isStopped && !hasFailed) onError(error)
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(run, everyMs).unref()
  }
  timer = setTimeout(run, 0).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
