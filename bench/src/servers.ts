import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Server = { url: string; pid: number | undefined; stop(): Promise<void> }

/** A server in a process of its own, as soon as it has printed its address. */
export async function startServer(module: string, env: Record<string, string>): Promise<Server> {
  const script = fileURLToPath(new URL(module, import.meta.url))
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await printedAddress(child)
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** What the process holds in memory. */
export async function residentBytes({ pid }: Server) {
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

async function printedAddress(child: ChildProcess) {
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const address = /ready at (http\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The server ended before it was ready')
}
