// A copy of the repository in which faults are put in and tests run.
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../setup.mjs'

/** On the same file system as the packages, which are linked. */
export const COPY = join(root, '.setup/faults/copy')

/** How long the tests may take to end after Ctrl+C. They stop their servers then. */
const STOP_MS = 20_000
/** In the environment of everything that is started here. Servers and databases inherit it. */
const MARK = 'WATCHDESK_FAULTS'
const mark = randomUUID()

/** The last commit, what has changed since, and linked packages. Changes are committed, so that a fault is the only one. */
export function makeCopy() {
  removeCopy()
  mkdirSync(dirname(COPY), { recursive: true })
  git(root, 'clone', '--quiet', '--local', root, COPY)
  const changed = git(root, 'ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard')
  for (const path of new Set(changed.split('\0').filter(Boolean))) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(COPY, path))
    else rmSync(join(COPY, path), { force: true })
  }
  git(COPY, 'add', '--all')
  const author = ['-c', 'user.name=Watchdesk', '-c', 'user.email=watchdesk@localhost']
  git(COPY, ...author, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message', 'Before the fault')
  for (const folder of ['', 'contract', 'server', 'console', 'e2e', 'bench'])
    linkFolder(join(root, folder, 'node_modules'), join(COPY, folder, 'node_modules'))
}

export function removeCopy() {
  rmSync(COPY, { recursive: true, force: true, maxRetries: 5 })
}

/** Links take no space. What tools keep there they would write into the original, too. */
function linkFolder(from, to) {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (/^\.(vite|cache|vitest)/.test(entry.name)) continue
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkSync(source, target)
  }
}

/** Puts the fault into the copy. Returns what takes it out again. */
export function putIn({ file, find, replace }) {
  const path = join(COPY, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  return () => writeFileSync(path, text)
}

let running
let isStopping = false

/** Runs a command in the copy, and ends what it leaves behind. False if it fails or takes too long. */
export async function run([command, args], { env = {}, minutes }) {
  const child = spawn(command, args, {
    cwd: COPY,
    // Ctrl+C reaches this script only, which then stops the tests in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, [MARK]: mark },
  })
  running = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const timer = setTimeout(() => stop(child), minutes * 60_000)
  const closed = once(child, 'close')
  const [status] = await once(child, 'exit')
  // Its child processes may keep the pipe open.
  await Promise.race([closed, wait(5000)])
  clearTimeout(timer)
  // Nothing more is tried then.
  if (isStopping) await new Promise(() => {})
  running = undefined
  endLeftBehind()
  return { hasPassed: status === 0, output }
}

/** Stops the tests that run now, and removes the copy. */
export async function stopAll() {
  isStopping = true
  if (running) await stop(running)
  endLeftBehind()
  removeCopy()
}

async function stop(child) {
  const ended = once(child, 'exit')
  signal(-child.pid, 'SIGINT')
  const timer = setTimeout(() => signal(-child.pid, 'SIGKILL'), STOP_MS)
  await ended
  clearTimeout(timer)
}

/** Servers and databases of tests that could not stop them. Found by their environment, where the system shows it. */
function endLeftBehind() {
  if (!existsSync('/proc/self/environ')) return
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (readFileSync(`/proc/${id}/environ`, 'latin1').includes(`${MARK}=${mark}`)) signal(Number(id), 'SIGKILL')
    } catch {
      // It has ended, or belongs to somebody else.
    }
  }
}

function signal(id, name) {
  try {
    process.kill(id, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function git(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`)
  return stdout
}
