import { readFile } from 'node:fs/promises'

/** Memory used by the process. */
export async function residentBytes({ pid }: { pid: number }) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** CPU time of all threads of the process. */
export async function processorSeconds({ pid }: { pid: number }) {
  const { user, system } = await statOf(pid)
  return user + system
}

/** CPU time of PostgreSQL: of the postmaster, its processes, and those that have ended. */
export async function postgresSeconds(postmaster: number) {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  const running = await Promise.all(
    children
      .trim()
      .split(' ')
      .map((pid) => processorSeconds({ pid: Number(pid) })),
  )
  const { user, system, ended } = await statOf(postmaster)
  return running
    .filter((seconds) => !Number.isNaN(seconds))
    .reduce((sum, seconds) => sum + seconds, user + system + ended)
}

export async function parentOf(pid: number) {
  return (await statOf(pid)).parent
}

/** Not a number for a process that does not exist. */
async function statOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // The kernel counts in hundredths of a second.
  const seconds = (index: number) => Number(fields[index] ?? Number.NaN) / 100
  return { parent: Number(fields[1]), user: seconds(11), system: seconds(12), ended: seconds(13) + seconds(14) }
}
