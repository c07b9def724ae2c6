import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Only what a fresh login would have: the settings of whoever runs the tests do not reach the server. A machine busy with
 * other tests is no fault of the server.
 */
const BASE_ENV = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', MAX_EVENT_LOOP_DELAY_MS: '0' }

const started = new Set<number>()

type Options = { cwd: string; env: Record<string, string>; uid?: number; gid?: number }

/** Starts the server and waits until it says that it is ready. */
export async function startWatchdesk(command: string, args: string[], { env, ...options }: Options) {
  const child = spawn(command, args, { ...options, env: { ...BASE_ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const exit = once(child, 'exit')
  const ready = () => /ready at (http\S+)/.exec(output)?.[1]
  // npm stands between us and the server; the log names the server's own process.
  const logged = () => Number(/"pid":(\d+)/.exec(output)?.[1])
  await until(() => Boolean(ready() && logged()) || child.exitCode !== null, 300_000)
  const [url, pid] = [ready(), logged()]
  if (!url || !pid) throw new Error(`Watchdesk did not start:\n${output}`)
  started.add(pid)
  return {
    url,
    pid,
    output: () => output,
    async stop(signal: NodeJS.Signals) {
      child.kill(signal)
      const [code] = await exit
      return code as number
    },
  }
}

/** What a failed test left running goes, and its database with it. */
export async function stopAll() {
  const left = [...started].filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGTERM')
  await until(() => !left.some(isAlive))
}

export async function runCommand(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  options: SpawnOptions = {},
) {
  const child = spawn(command, args, {
    cwd: ROOT,
    ...options,
    env: { ...BASE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { code: code as number, output }
}

/** The user that a test running as root lends to what must not run as root. */
export function nobody() {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
  return { uid: id('-u'), gid: id('-g') }
}

export function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Other processes send us no events: looked at often, until it holds. */
export async function until(holds: () => boolean | Promise<boolean>, deadlineMs = 30_000) {
  const deadline = Date.now() + deadlineMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to that in time')
    await wait(20)
  }
}

/** What a clone would hold: the project without what is installed, built or kept. */
export function copyProject(to: string) {
  const made = new Set(['node_modules', 'dist', 'data', '.git', '.setup', 'test-results', 'playwright-report'])
  cpSync(ROOT, to, { recursive: true, filter: (path) => !made.has(basename(path)) && !path.endsWith('.tsbuildinfo') })
}
