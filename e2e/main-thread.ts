import { type Browser, expect } from '@playwright/test'

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** On a busy machine, a task takes about four times the CPU time. `npm run bench:reading` has the machine to itself. */
const FACTOR = process.env.QUIET_MACHINE ? 1 : 5

/** Ends the trace, in which no task of the main thread may have taken longer than these milliseconds of CPU time. */
export async function expectShortTasks(browser: Browser, longest: number) {
  const tasks = mainThreadTasks(JSON.parse(String(await browser.stopTracing())))
  expect(tasks.length).toBeGreaterThan(100)
  expect(Math.max(...tasks)).toBeLessThan(longest * FACTOR)
}

function mainThreadTasks({ traceEvents }: { traceEvents: TraceEvent[] }) {
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  return traceEvents
    .filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
    .filter(({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid))
    .map(({ tdur = 0 }) => tdur / 1000)
}
