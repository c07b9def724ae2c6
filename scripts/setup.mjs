import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { npm } from './npm.mjs'
import { takeLock } from './setup-lock.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

const OLDEST_NODE = [20, 19]
const LOCK = join(root, '.setup/lock')
const BUILD_STAMP = join(root, '.setup/built')
/** A copy of the project in which packages are installed and the build is made, on the same file system. */
const BESIDE = join(root, '.setup/new')
/** What the new packages and the new build replace. It exists only until all of them are in place. */
const REPLACED = join(root, '.setup/old')
const WORKSPACES = ['contract', 'server', 'console', 'e2e', 'bench']
const PACKAGES = ['', ...WORKSPACES].map((folder) => join(folder, 'node_modules'))
const BUILT_FROM = [
  'tsconfig.base.json',
  'contract/tsconfig.json',
  'contract/src',
  'server/tsconfig.json',
  'server/src',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'console/index.html',
  'console/public',
  'console/src',
]
const BUILT = ['contract/dist/users.js', 'server/dist/main.js', 'console/dist/index.html']
const BUILDS = BUILT.map(dirname)

/**
 * Installs what is missing and builds what is stale, in a copy that replaces what was there when it is complete. To run the
 * server, packages for development are needed only if there is something to build.
 */
export function setup({ toDevelop = true } = {}) {
  refuseOldNode()
  if (isReady(toDevelop)) return
  if (hasBuild() && !isWritable()) {
    console.log('The project cannot be written to: its build is used as it is.')
    return
  }
  // Two servers starting from one checkout would overwrite each other's build.
  const release = takeLock(LOCK)
  putBack()
  if (!isReady(toDevelop)) renew()
  release()
}

function isReady(toDevelop) {
  if (existsSync(REPLACED) || !hasPackages({ dev: toDevelop })) return false
  if (isBuilt()) return true
  // A copy of a finished installation has no stamp, and may have no compiler.
  return !toDevelop && hasBuild() && !existsSync(BUILD_STAMP) && !hasPackages({ dev: true })
}

/** Whether the packages of the lock file are installed. */
function hasPackages({ dev }) {
  return Object.entries(lockedPackages()).every(
    ([path, entry]) => !path.includes('node_modules/') || !isNeeded(entry, dev) || isInstalled(path, entry),
  )
}

function lockedPackages() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

function isNeeded({ dev, devOptional, optional, os, cpu, libc }, withDev) {
  if ((dev || devOptional) && !withDev) return false
  // Of the optional ones, those with binaries for this platform.
  return !optional || Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
}

function isInstalled(path, { link, resolved, version }) {
  if (link) return existsSync(join(root, path)) || !existsSync(join(root, resolved))
  const description = readIfThere(join(root, path, 'package.json'))
  return description !== undefined && JSON.parse(description).version === version
}

function hasBuild() {
  return BUILT.every((file) => existsSync(join(root, file)))
}

function isBuilt() {
  return hasBuild() && readIfThere(BUILD_STAMP) === sourceFingerprint()
}

function sourceFingerprint() {
  // Not the text of the lock file: npm prune rewrites it.
  const versions = Object.entries(lockedPackages()).map(([path, { version }]) => `${path} ${version}`)
  return fingerprint(BUILT_FROM, [process.env.VITE_API_URL ?? '', ...versions])
}

function isWritable() {
  try {
    for (const path of ['', 'server', 'server/dist']) accessSync(join(root, path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

function renew() {
  rmSync(BESIDE, { recursive: true, force: true })
  const descriptions = ['', ...WORKSPACES].map((folder) => join(folder, 'package.json'))
  for (const path of ['.npmrc', 'package-lock.json', ...descriptions, ...BUILT_FROM].filter((path) =>
    existsSync(join(root, path)),
  )) {
    cpSync(join(root, path), join(BESIDE, path), { recursive: true })
  }
  const made = []
  if (hasPackages({ dev: true })) {
    linkPackages()
  } else {
    console.log('Installing packages …')
    run(...npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'))
    made.push(...PACKAGES)
  }
  const stamp = sourceFingerprint()
  if (!isBuilt()) {
    console.log('Building …')
    run(process.execPath, [join(BESIDE, 'node_modules/typescript/bin/tsc'), '-b', 'contract', 'server'])
    run(process.execPath, [join(BESIDE, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', 'console'])
    made.push(...BUILDS)
  }
  swapIn(made)
  writeFileSync(BUILD_STAMP, stamp)
  rmSync(BESIDE, { recursive: true, force: true })
}

/** The links to our own packages are relative, so they lead to the copy. */
function linkPackages() {
  const [from, to] = [join(root, 'node_modules'), join(BESIDE, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from).filter((name) => name !== '@watchdesk'))
    symlinkSync(join(from, name), join(to, name))
  cpSync(join(from, '@watchdesk'), join(to, '@watchdesk'), { recursive: true, verbatimSymlinks: true })
}

function swapIn(paths) {
  try {
    for (const path of paths) {
      move(path, root, REPLACED)
      move(path, BESIDE, root)
    }
  } catch (error) {
    putBack()
    stop(error.message)
  }
  move('.setup/old', root, BESIDE)
}

/** After a swap that failed or was killed. */
function putBack() {
  for (const path of [...PACKAGES, ...BUILDS].filter((path) => existsSync(join(REPLACED, path)))) {
    rmSync(join(root, path), { recursive: true, force: true })
    move(path, REPLACED, root)
  }
  rmSync(REPLACED, { recursive: true, force: true })
}

function move(path, from, to) {
  if (!existsSync(join(from, path))) return
  mkdirSync(dirname(join(to, path)), { recursive: true })
  renameSync(join(from, path), join(to, path))
}

/** The command line of an installed tool, run with the same Node. */
export function tool(path, ...args) {
  return [process.execPath, [join(root, 'node_modules', path), ...args]]
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: BESIDE, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) stop(error?.message ?? `${args.slice(-3).join(' ')} failed`)
}

function stop(reason) {
  console.error(`Set-up stopped: ${reason}. What was installed and built before is unchanged.`)
  process.exit(1)
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  console.error(`Watchdesk needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Hashes contents, not modification times, which a checkout changes. */
function fingerprint(paths, extra) {
  const hash = createHash('sha256').update(extra.join('\n'))
  for (const path of paths.flatMap(filesBelow)) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  const whole = join(root, path)
  if (!existsSync(whole)) return []
  if (!statSync(whole).isDirectory()) return [path]
  return readdirSync(whole)
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readCommandLine('setup')
  setup()
}
