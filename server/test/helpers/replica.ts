import { inject } from 'vitest'
import { runToEnd, SERVER, type Server, startServer } from '../../../scripts/start-server.mjs'
import type { Watchdesk } from './watchdesk.ts'

type Settings = Record<string, string>
export type Replica = Server

/** A machine busy with other tests is no fault of the server. */
const DEFAULTS = { MAX_EVENT_LOOP_DELAY_MS: '0' }

/** A server in a process of its own, from the build, on the database of a test. */
export function startReplica({ database }: Pick<Watchdesk, 'database'>, settings: Settings = {}) {
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
export function startBuilt(settings: Settings, args: string[] = [], prefix: string[] = []) {
  return startServer({ ...DEFAULTS, ...settings }, { command: [...prefix, ...SERVER, ...args] })
}

/** A start that fails. */
export function runMain(settings: Settings) {
  return runToEnd(SERVER, { PORT: '0', ...DEFAULTS, ...settings })
}

/** One of the commands, as `scripts/run.mjs` calls it. */
export function runCommand(
  name: string,
  settings: Settings,
  operands: string[] = [],
  options: Record<string, boolean> = {},
  prefix: string[] = [],
) {
  const module = JSON.stringify(new URL(`../../dist/commands/${name}.js`, import.meta.url).href)
  const code = `(await import(${module})).run(${JSON.stringify(operands)}, ${JSON.stringify(options)})`
  return runToEnd([...prefix, process.execPath, '--input-type=module', '--eval', code], settings)
}
