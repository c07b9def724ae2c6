import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { npm } from './npm.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

const OLDEST_NODE = [20, 19]
const INSTALL_STAMP = join(root, 'node_modules/.watchdesk-installed')
const LOCK = join(root, '.setup/lock')
const REMOVAL = join(root, '.setup/lock-removal')
/** A lock without a process id is being written, or its writer failed. */
const WRITTEN_WITHIN_MS = 5000
const BUILD_STAMP = join(root, '.setup/built')
const BUILT_FROM = [
  'package-lock.json',
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

/** Installs what is missing and builds what is stale. */
export function setup() {
  refuseOldNode()
  if (isInstalled() && isBuilt()) return
  if (BUILT.every((file) => existsSync(join(root, file))) && !isWritable()) {
    console.log('The project cannot be written to: its build is used as it is.')
    return
  }
  // Two servers starting from one checkout would overwrite each other's build.
  takeLock()
  if (!isInstalled()) {
    console.log('Installing packages …')
    run(...npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'))
    writeFileSync(INSTALL_STAMP, lockFingerprint())
  }
  if (!isBuilt()) {
    console.log('Building …')
    run(...tool('typescript/bin/tsc', '-b', 'contract', 'server'))
    run(...tool('vite/bin/vite.js', 'build', '--logLevel', 'warn', 'console'))
    writeFileSync(BUILD_STAMP, sourceFingerprint())
  }
  releaseLock()
}

function isInstalled() {
  return readStamp(INSTALL_STAMP) === lockFingerprint()
}

function isBuilt() {
  return readStamp(BUILD_STAMP) === sourceFingerprint() && BUILT.every((file) => existsSync(join(root, file)))
}

function lockFingerprint() {
  return fingerprint(['package-lock.json'], [process.platform, process.arch])
}

function sourceFingerprint() {
  return fingerprint(BUILT_FROM, [process.env.VITE_API_URL ?? ''])
}

function isWritable() {
  try {
    accessSync(join(root, 'server/dist'), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Waits until no other process sets up this checkout; the lock of a dead process is ignored. */
function takeLock() {
  mkdirSync(join(root, '.setup'), { recursive: true })
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      process.once('exit', releaseLock)
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (isStaleLock(LOCK) && removeLock()) continue
      if (!isWaiting) console.log(`Waiting for another process to set up this project (${LOCK}) …`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    }
  }
}

/** Left by a dead process, which may have had our own process id, as in a restarted container. */
function isStaleLock(lock) {
  const holder = Number(readStamp(lock))
  if (holder) return holder === process.pid || !isAlive(holder)
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  return Date.now() - made > WRITTEN_WITHIN_MS
}

/** Removes a stale lock. One process at a time: otherwise one could remove the lock that the next has just taken. */
function removeLock() {
  try {
    writeFileSync(REMOVAL, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isStaleLock(REMOVAL)) rmSync(REMOVAL, { force: true })
    return false
  }
  const isOld = isStaleLock(LOCK)
  if (isOld) rmSync(LOCK, { force: true })
  rmSync(REMOVAL, { force: true })
  return isOld
}

/** Also runs on exit after a failure; by then the lock may belong to another process. */
function releaseLock() {
  if (Number(readStamp(LOCK)) === process.pid) rmSync(LOCK, { force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The command line of an installed tool, run with the same Node. */
export function tool(path, ...args) {
  return [process.execPath, [join(root, 'node_modules', path), ...args]]
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) return
  console.error(error?.message ?? `Set-up stopped: ${args.slice(-3).join(' ')} failed.`)
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

function readStamp(file) {
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
