import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NO_LOAD_SHEDDING, runToEnd, startServer } from '../scripts/start-server.mjs'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const started = new Set<number>()

type Options = Parameters<typeof startServer>[1]

/** Starts the server from a command line, such as `npm start`. */
export async function startWatchdesk(settings: Record<string, string>, options: Options = {}) {
  const server = await startServer({ ...NO_LOAD_SHEDDING, ...settings }, options)
  // npm is the parent of the server; the log contains the server's own process id.
  const logged = () => Number(/"pid":(\d+)/.exec(server.output())?.[1])
  await until(() => logged() > 0)
  const pid = logged()
  started.add(pid)
  return { ...server, pid }
}

/** Stops what a failed test left running, and removes its database. */
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
  return runToEnd([command, ...args], { ...NO_LOAD_SHEDDING, ...settings }, options)
}

/** When tests run as root: the user for processes that must not. */
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

/** Polls, because other processes send no events. */
export async function until(holds: () => boolean | Promise<boolean>, deadlineMs = 30_000) {
  const deadline = Date.now() + deadlineMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to that in time')
    await wait(20)
  }
}

/** The contents of a clone: the project without dependencies, build output and data. */
export function copyProject(to: string) {
  const made = new Set(['node_modules', 'dist', 'data', '.git', '.setup', 'test-results', 'playwright-report'])
  cpSync(ROOT, to, { recursive: true, filter: (path) => !made.has(basename(path)) && !path.endsWith('.tsbuildinfo') })
}

/** The same with the packages and the build of this project. */
export function copyBuiltProject(to: string) {
  const made = new Set(['node_modules', 'data', '.git', 'test-results', 'playwright-report'])
  cpSync(ROOT, to, { recursive: true, filter: (path) => !made.has(basename(path)) })
  // Not a link: the compiler would find the packages outside of the project.
  const packages = join(ROOT, 'node_modules')
  cpSync(packages, join(to, 'node_modules'), { recursive: true, verbatimSymlinks: true })
}

export function ownNpmCache() {
  return execFileSync('npm', ['config', 'get', 'cache'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

export function passwordIn(output: string) {
  return /with the password (\S+)/.exec(output)?.[1] ?? ''
}

export async function signIn(url: string, password: string) {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@watchdesk.local', password }),
  })
  return response.status
}

/** The process id and the TCP addresses in PostgreSQL's pid file. */
export function postmaster(data: string) {
  const lines = readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), listensOn: lines[5] }
}
