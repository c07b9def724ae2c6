import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const MB = 1_000_000

/** The peak increase in memory of a process, in MB, while the work runs. Only measured on Linux; 0 elsewhere. */
export async function memoryFor(pid: number, work: () => Promise<unknown>) {
  if (process.platform !== 'linux') return work().then(() => 0)
  const before = await memoryOf(pid)
  let most = before
  let isDone = false
  const watch = async () => {
    while (!isDone) {
      most = Math.max(most, await memoryOf(pid))
      await wait(20)
    }
  }
  const end = work().finally(() => {
    isDone = true
  })
  await Promise.all([end, watch()])
  return Math.round(most - before)
}

async function memoryOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / MB
}
