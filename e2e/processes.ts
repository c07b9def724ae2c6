import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runToEnd, startServer } from '../scripts/start-server.mjs'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A machine busy with other tests is no fault of the server. */
const DEFAULTS = { MAX_EVENT_LOOP_DELAY_MS: '0' }

const started = new Set<number>()

type Options = Parameters<typeof startServer>[1]

/** Starts the server as a command line does, `npm start` included. */
export async function startWatchdesk(settings: Record<string, string>, options: Options = {}) {
  const server = await startServer({ ...DEFAULTS, ...settings }, options)
  // npm stands between us and the server; the log names the server's own process.
  const logged = () => Number(/"pid":(\d+)/.exec(server.output())?.[1])
  await until(() => logged() > 0)
  const pid = logged()
  started.add(pid)
  return { ...server, pid }
}

/** What a failed test left running goes, and its database with it. */
export async function stopAll() {
  const left = [...started].filter(isAlive)
  for (const pid of left) process.kill(pid, 'SIGTERM')
  await until(() => !left.some(isAlive))
}

export function runCommand(
  command: string,
  args: string[],
  settings: Record<string, string> = {},
  options: Options = {},
) {
  return runToEnd([command, ...args], { ...DEFAULTS, ...settings }, options)
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
