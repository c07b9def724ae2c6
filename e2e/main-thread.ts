type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** The CPU time of each main-thread task in milliseconds, which excludes waiting for a busy machine. */
export function mainThreadTasks({ traceEvents }: { traceEvents: TraceEvent[] }) {
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  return traceEvents
    .filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
    .filter(({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid))
    .map(({ tdur = 0 }) => tdur / 1000)
}
