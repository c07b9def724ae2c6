// Starts the built server as a child process, for tests, benchmarks and scripts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** @typedef {Record<string, string | undefined>} Settings */
/** @typedef {import('node:child_process').SpawnOptions} SpawnOptions */
/**
 * With `logFile`, the output goes into that file, so that the reader of the output takes no CPU time.
 * @typedef {Pick<SpawnOptions, 'cwd' | 'uid' | 'gid' | 'signal'> & { logFile?: string }} Options
 */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY = /is ready at (http\S+)\s/

/** The command line that starts the built server. */
export const SERVER = [process.execPath, join(ROOT, 'server/dist/main.js')]

/** Settings that disable load shedding, because the machine may be busy with other tests. */
export const NO_LOAD_SHEDDING = { MAX_EVENT_LOOP_DELAY_MS: '0' }

export const ADMIN = { email: 'admin@watchdesk.local', password: 'correct horse battery' }

/**
 * Starts a server and waits for it to print its address.
 * @param {Settings} settings
 * @param {Options & { command?: string[] }} options
 */
export async function startServer(settings = {}, { command = SERVER, ...options } = {}) {
  const { child, output } = start(command, { PORT: '0', ...settings }, options)
  /** @type {Promise<number | null>} */
  const exit = once(child, 'exit').then(([code]) => code)
  // If this process ends before it has stopped the server, such as after a timeout while it starts.
  const end = () => child.kill()
  process.once('exit', end)
  exit.finally(() => process.off('exit', end))
  const url = await Promise.race([readyAt(child, output), exit])
  if (typeof url !== 'string') throw new Error(`The server exited before it was ready:\n${output()}`)
  // A crash would otherwise only show as a refused connection.
  exit.then((code) => code && console.error(`The server exited with code ${code}:\n${output().slice(-10_000)}`))
  return {
    url,
    pid: child.pid ?? 0,
    /** All output so far. */
    output,
    /**
     * Resolves to the exit code.
     * @param {NodeJS.Signals} signal
     */
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exit
    },
  }
}

/**
 * Starts the server on a new embedded database, which is removed when the server has stopped.
 * @param {Settings} settings
 */
export async function startWithNewDatabase(settings = {}, { isDemo = false } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'watchdesk-'))
  // PostgreSQL does not run as root: its user needs access to the folder.
  chmodSync(data, 0o755)
  const remove = () => rmSync(data, { recursive: true, force: true })
  const env = {
    DATA_DIR: data,
    LOG_LEVEL: 'warn',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  }
  try {
    const server = await startServer(env, { command: isDemo ? [...SERVER, '--demo'] : SERVER })
    return {
      ...server,
      data,
      async stop() {
        await server.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Runs a command until it exits.
 * @param {string[]} command
 * @param {Settings} settings
 * @param {Options} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function runToEnd(command, settings = {}, options = {}) {
  const { child, output } = start(command, settings, options)
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

/**
 * Without our own environment, which may contain settings of the server.
 * @param {string[]} command
 * @param {Settings} settings
 * @param {Options} options
 */
function start([command = '', ...args], settings, { logFile, ...options }) {
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', ...settings }
  const to = logFile ? openSync(logFile, 'a') : 'pipe'
  const child = spawn(command, args, { cwd: ROOT, ...options, env, stdio: ['ignore', to, to] })
  if (typeof to === 'number') closeSync(to)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return { child, output: () => (logFile ? readFileSync(logFile, 'utf8') : output) }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => string} output
 * @returns {Promise<string | undefined>}
 */
async function readyAt(child, output) {
  while (child.exitCode === null) {
    const url = READY.exec(output())?.[1]
    if (url) return url
    await (child.stdout ? once(child.stdout, 'data') : wait(20))
  }
}
