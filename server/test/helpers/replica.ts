import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Watchdesk } from './watchdesk.ts'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
/** A machine busy with other tests is no fault of the server. */
const DEFAULTS = { PATH: process.env.PATH, PORT: '0', MAX_EVENT_LOOP_DELAY_MS: '0' }

/** A server in a process of its own, from the build, on the database of a test. */
export function startReplica({ database }: Pick<Watchdesk, 'database'>, settings: Record<string, string> = {}) {
  return startBuilt({ DATABASE_URL: addressOf(database), ...settings })
}

/** The database of a test as a DATABASE_URL, for what runs in a process of its own. */
export function addressOf(database: Watchdesk['database']) {
  const { host = '', port = 5432, user = '', password = '' } = inject('postgres')
  const name = database.pool.options.database
  const credentials = [user, String(password ?? '')].map(encodeURIComponent).join(':')
  return `postgres://${credentials}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

/** The same on whatever database the settings name; its command line begins with the prefix. */
export async function startBuilt(settings: Record<string, string>, args: string[] = [], prefix: string[] = []) {
  const { child, output } = run([MAIN, ...args], settings, prefix)
  const url = await printedAddress(child, output)
  return {
    url,
    pid: child.pid ?? 0,
    output,
    /** For what a failed test left running. */
    kill: () => void child.kill('SIGTERM'),
    async end(signal: NodeJS.Signals) {
      const exit = once(child, 'exit')
      child.kill(signal)
      const [code] = await exit
      return code as number | null
    },
  }
}

export type Replica = Awaited<ReturnType<typeof startReplica>>

/** A start that fails. */
export function runMain(settings: Record<string, string>) {
  return toItsEnd(run([MAIN], settings))
}

/** One of the commands, as `scripts/run.mjs` calls it. */
export function runCommand(
  name: string,
  settings: Record<string, string>,
  operands: string[] = [],
  options: Record<string, boolean> = {},
  prefix: string[] = [],
) {
  const module = JSON.stringify(new URL(`../../dist/commands/${name}.js`, import.meta.url).href)
  const code = `(await import(${module})).run(${JSON.stringify(operands)}, ${JSON.stringify(options)})`
  return toItsEnd(run(['--input-type=module', '--eval', code], settings, prefix))
}

async function toItsEnd({ child, output }: ReturnType<typeof run>) {
  const [code] = await once(child, 'close')
  return { code: code as number | null, output: output() }
}

function run(args: string[], settings: Record<string, string>, prefix: string[] = []) {
  const [command = '', ...rest] = [...prefix, process.execPath, ...args]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...DEFAULTS, ...settings } })
  let output = ''
  const read = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  return { child, output: () => output }
}

function printedAddress(child: ChildProcess, output: () => string) {
  return new Promise<string>((resolve, reject) => {
    const look = () => {
      const address = /ready at (http\S+)/.exec(output())?.[1]
      if (address) resolve(address)
    }
    child.stdout?.on('data', look)
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${output()}`)))
  })
}
