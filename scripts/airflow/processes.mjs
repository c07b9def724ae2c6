import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const GRACE_MS = 15_000
const running = []

/** In its own session, so that all its child processes can be stopped with it. */
export function startProcess(command, args, { env, cwd, log }) {
  const output = openSync(log, 'a')
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const exit = Promise.race([once(child, 'exit'), once(child, 'error')])
  registerStop(stop)
  return {
    log: () => readFileSync(log, 'utf8'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined,
  }

  async function stop() {
    if (child.pid === undefined) return
    signal(-child.pid, 'SIGTERM')
    await Promise.race([exit, wait(GRACE_MS, undefined, { ref: false })])
    for (const pid of [-child.pid, ...sessionOf(child.pid)]) signal(pid, 'SIGKILL')
  }
}

/** Registers a function for `stopAll`. */
export function registerStop(stop) {
  running.push(() => stop())
}

/** In reverse order of starting. */
export async function stopAll() {
  for (const stop of running.splice(0).reverse()) await stop()
}

/** Airflow puts its tasks into separate process groups, but not into separate sessions. */
function sessionOf(leader) {
  const { stdout, status } = spawnSync('ps', ['-A', '-o', 'pid=,sess='], { encoding: 'utf8' })
  if (status !== 0) return []
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter(([pid, session]) => session === leader && pid > 1).map(([pid]) => pid)
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It has already exited.
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Polls until it returns a value. */
export async function until(what, look, { timeoutMs = 180_000, everyMs = 500 } = {}) {
  const end = Date.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`Timed out after ${timeoutMs / 1000} s: ${what}`)
    await wait(everyMs)
  }
}
