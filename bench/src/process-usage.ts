import { readFile } from 'node:fs/promises'
import type { Server } from '../../scripts/start-server.mjs'

/** Memory used by the process. */
export async function residentBytes({ pid }: Pick<Server, 'pid'>) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** CPU time of all threads of the process; the kernel counts in hundredths of a second. */
export async function processorSeconds({ pid }: Pick<Server, 'pid'>) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / 100
}
