import { inject } from 'vitest'
import { NO_LOAD_SHEDDING, runToEnd, SERVER, type Server, startServer } from '../../../scripts/start-server.mjs'
import type { Watchdesk } from './watchdesk.ts'

type Settings = Record<string, string>
export type Replica = Server

/** A server in a separate process, from the build, on the database of a test. */
export function startReplica({ database }: Pick<Watchdesk, 'database'>, settings: Settings = {}) {
  return startBuilt({ DATABASE_URL: databaseUrl(database), ...settings })
}

/** The DATABASE_URL of a test's database, for separate processes. */
export function databaseUrl(database: Watchdesk['database']) {
  const { host = '', port = 5432, user = '', password = '' } = inject('postgres')
  const name = database.pool.options.database
  const credentials = [user, String(password ?? '')].map(encodeURIComponent).join(':')
  return `postgres://${credentials}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

/** The same on the database in the settings, with a command prefix. */
export function startBuilt(settings: Settings, args: string[] = [], prefix: string[] = []) {
  return startServer({ ...NO_LOAD_SHEDDING, ...settings }, { command: [...prefix, ...SERVER, ...args] })
}

/** A start that is expected to fail. */
export function runMain(settings: Settings) {
  return runToEnd(SERVER, { PORT: '0', ...NO_LOAD_SHEDDING, ...settings })
}

/** Runs a command the way `scripts/run.mjs` does. */
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
