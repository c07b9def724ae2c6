import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { access, chown, mkdir, mkdtemp, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartError } from '../env.ts'
import { makeFolder } from '../make-folder.ts'
import { isRunning, removeLeftBehind } from '../processes.ts'
import { startTasks } from '../scheduler.ts'
import { CHECK_MS, checkDiskSpace, type DiskSpace } from './disk-space.ts'
import { type Binaries, claimCluster, findBinaries, placeCluster, type Runner, runner } from './embedded-place.ts'
import { claim, withConnection } from './owner.ts'

const run = promisify(execFile)

/** PostgreSQL only listens on a Unix socket, and the kernel limits socket paths to 107 bytes. */
const SOCKET_PATH_LIMIT = 100
const START_DEADLINE_MS = 60_000
const OWNER_WAIT_MS = 3000
export const APPLICATION = 'watchdesk'

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // A duplicate email is a normal error, so neither the statement nor the detail, which contain the row, are logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

export type Embedded = {
  connection: { host: string; user: string; database: string }
  /** Only known to the process that runs the database. */
  diskSpace?: DiskSpace
  stop(): Promise<void>
}

type EmbeddedOptions = {
  settings?: Record<string, string>
  /** Another PostgreSQL than the one in node_modules. */
  binaries?: Binaries
  /** Uses a running database without becoming its owner: for commands while a server is running. */
  isGuest?: boolean
}

/** Starts the PostgreSQL of a data directory, or uses it if a killed earlier process left it running. */
export async function startEmbedded(
  dataDir: string,
  { settings = {}, isGuest = false, ...given }: EmbeddedOptions = {},
): Promise<Embedded> {
  const user = await runner(dataDir)
  const binaries = given.binaries ?? (await findBinaries(user))
  await makeDataDir(dataDir)
  const cluster = await placeCluster(dataDir, user)
  await removeLeftBehind(cluster)
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(cluster, binaries, user)
  await refuseOtherVersion(cluster, binaries)

  const found = await findRunning(cluster)
  if (found && isGuest) return asGuest(found)
  let running = found ?? (await ensureRunning())
  const owner = await claim(dataDir, connection(running.socketDir), isGuest ? 0 : OWNER_WAIT_MS)
  if (!owner && isGuest) return asGuest(running)
  if (!owner) throw new StartError(`Another Watchdesk already uses the data directory ${dataDir}`)

  const diskSpace = { isLow: false }
  const stopWriters = () => withConnection(connection(running.socketDir), (client) => client.query(STOP_WRITERS))
  // A database that is down is reported by the code that uses it.
  const stopTasks = startTasks(
    [
      { name: 'revive', everyMs: 500, run: revive },
      { name: 'check disk space', everyMs: CHECK_MS, run: () => checkDiskSpace(diskSpace, cluster, stopWriters) },
    ],
    () => {},
  )

  return {
    connection: connection(running.socketDir),
    diskSpace,
    async stop() {
      stopTasks()
      await owner.release()
      await stopPostgres(running.pid)
      if (running.socketDir !== cluster) await rmdir(running.socketDir).catch(() => {})
    },
  }

  async function ensureRunning(socketDir?: string): Promise<Running> {
    return (await findRunning(cluster)) ?? (await startPostgres(cluster, binaries, user, settings, socketDir))
  }

  /** The pool reconnects by itself, but the database must be restarted. */
  async function revive() {
    if (!isRunning(running.pid)) running = await ensureRunning(running.socketDir)
  }
}

async function makeDataDir(dataDir: string) {
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`Bad setting. DATA_DIR: ${dataDir} is not a writable folder (${code})`)
  }
}

/** Only long-running statements: short ones use little disk space. */
const STOP_WRITERS = `select pg_cancel_backend(pid) from pg_stat_activity where backend_xid is not null
  and application_name like '${APPLICATION}%' and state = 'active' and xact_start < now() - interval '0.2 seconds'`

function asGuest({ socketDir }: Running): Embedded {
  return { connection: connection(socketDir), stop: async () => {} }
}

function connection(socketDir: string) {
  return { host: socketDir, user: 'watchdesk', database: 'postgres' }
}

async function initialise(cluster: string, binaries: Binaries, user: Runner) {
  // A temporary directory until it is complete: a kill during initdb leaves nothing that looks like a database.
  const fresh = `${cluster}.new-${process.pid}`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  await giveTo(user, fresh)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=und']
  const options = ['-D', fresh, '-U', 'watchdesk', '--auth=trust', '--data-checksums', ...locale]
  await run(join(binaries.dir, 'bin/initdb'), options, { ...user, cwd: '/' }).catch(({ stderr = '' }) => {
    throw new StartError(`The embedded database could not be set up: ${lastLine(stderr)}`)
  })
  await rename(fresh, cluster).catch(async (error) => {
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw error
  })
}

async function giveTo(user: Runner, path: string) {
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid)
}

async function refuseOtherVersion(cluster: string, { major }: Binaries) {
  const made = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (made === major) return
  throw new StartError(
    `The data directory was created by PostgreSQL ${made}, but this release includes ${major}: restore a backup into a new data directory`,
  )
}

type Running = { pid: number; socketDir: string }

/** The contents of PostgreSQL's own pid file, once it accepts connections. */
async function findRunning(cluster: string): Promise<Running | undefined> {
  const file = join(cluster, 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!pid || !isRunning(pid)) return undefined
  if (!(await serves(pid, cluster))) {
    // After a reboot, the process id may belong to another process, and PostgreSQL would refuse to start.
    await rm(file, { force: true })
    return undefined
  }
  const socketDir = lines[4]
  if (!socketDir) return undefined
  await acceptsConnections(socketDir, () => isRunning(pid))
  return { pid, socketDir }
}

async function serves(pid: number, cluster: string) {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command === undefined ? true : command.includes(cluster)
}

async function startPostgres(
  cluster: string,
  binaries: Binaries,
  user: Runner,
  settings: Record<string, string>,
  socketDir = '',
): Promise<Running> {
  await claimCluster(cluster, user)
  const socket = socketDir && existsSync(socketDir) ? socketDir : await placeSocket(cluster)
  await giveTo(user, socket)
  const all = { ...SETTINGS, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const deadline = Date.now() + START_DEADLINE_MS
  for (;;) {
    const log = await open(join(dirname(cluster), 'postgres.log'), 'a', 0o600)
    const from = (await log.stat()).size
    const child = spawn(join(binaries.dir, 'bin/postgres'), ['-D', cluster, '-k', socket, ...options], {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    await log.close()
    const exited = once(child, 'exit').then(() => false)
    const ready = acceptsConnections(socket, () => child.exitCode === null && child.signalCode === null)
    if (await Promise.race([exited, ready])) return { pid: child.pid ?? 0, socketDir: socket }
    // Another process may have been faster.
    const other = await findRunning(cluster)
    if (other) return other
    // Processes of a killed database hold its shared memory for a moment, so this is retried.
    const said = (await readFile(join(dirname(cluster), 'postgres.log'), 'utf8')).slice(from)
    if (!/shared memory block|already exists/.test(said) || Date.now() > deadline) {
      throw new StartError(`The embedded database does not start: ${lastLine(said)}`)
    }
    await wait(200)
  }
}

async function placeSocket(cluster: string) {
  const socketPath = join(cluster, '.s.PGSQL.5432')
  // PostgreSQL parses the setting as a list, so commas, quotes and spaces would need quoting.
  if (Buffer.byteLength(socketPath) <= SOCKET_PATH_LIMIT && /^[\w./+-]+$/.test(cluster)) return cluster
  return mkdtemp('/tmp/watchdesk-')
}

async function acceptsConnections(socketDir: string, alive: () => boolean) {
  const deadline = Date.now() + START_DEADLINE_MS
  while (alive() && Date.now() < deadline) {
    const isReady = withConnection(connection(socketDir), async () => true)
    if (await isReady.catch(() => false)) return true
    await wait(15)
  }
  return false
}

async function stopPostgres(pid: number) {
  const deadline = Date.now() + 30_000
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isRunning(pid)) return
    process.kill(pid, signal)
    while (isRunning(pid) && Date.now() < deadline) await wait(10)
  }
}

function lastLine(text: string) {
  return text.trim().split('\n').at(-1) ?? ''
}
