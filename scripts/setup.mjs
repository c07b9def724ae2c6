import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

const OLDEST_NODE = [20, 19]
const INSTALL_STAMP = join(root, 'node_modules/.watchdesk-installed')
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

/** Installs what is missing and builds what is stale: nothing, when both are up to date. */
export function setup() {
  refuseOldNode()
  const lock = fingerprint(['package-lock.json'], [process.platform, process.arch])
  if (readStamp(INSTALL_STAMP) !== lock) {
    console.log('Installing packages …')
    run(...npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'))
    writeFileSync(INSTALL_STAMP, lock)
  }
  const sources = fingerprint(BUILT_FROM, [process.env.VITE_API_URL ?? ''])
  if (readStamp(BUILD_STAMP) !== sources || !BUILT.every((file) => existsSync(join(root, file)))) {
    console.log('Building …')
    run(...tool('typescript/bin/tsc', '-b', 'contract', 'server'))
    run(...tool('vite/bin/vite.js', 'build', '--logLevel', 'warn', 'console'))
    mkdirSync(join(root, '.setup'), { recursive: true })
    writeFileSync(BUILD_STAMP, sources)
  }
}

/** The command line of an installed tool, run by this very Node. */
export function tool(path, ...args) {
  return [process.execPath, [join(root, 'node_modules', path), ...args]]
}

export function npm(...args) {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? [process.execPath, [script, ...args]] : ['npm', args]
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

/** Of what the files hold, not of when they were written: a checkout touches them without changing them. */
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
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readCommandLine('setup')
  setup()
}
