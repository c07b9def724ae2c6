import { readFile } from 'node:fs/promises'
import type { Server } from '../../scripts/start-server.mjs'

/** What the process holds in memory. */
export async function residentBytes({ pid }: Pick<Server, 'pid'>) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** What all threads of the process have used; the kernel counts in hundredths. */
export async function processorSeconds({ pid }: Pick<Server, 'pid'>) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / 100
}
