import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { BENCHMARKS } from './commands.mjs'
import { root, setup, tool } from './setup.mjs'

const EX_TEMPFAIL = 75
const SHORT_DATA = join(root, 'bench/data-short')
const { operands, options } = readCommandLine('bench')
setup()
run(...tool('typescript/bin/tsc', '-b', 'bench'))
if (options.short) {
  process.env.BENCH_SHORT = '1'
  removeShortData()
  mkdirSync(SHORT_DATA)
  process.once('exit', removeShortData)
}
for (const part of operands.length > 0 ? operands : BENCHMARKS) {
  const args = part === 'accounts' && options.peers ? ['--peers'] : []
  run(process.execPath, [`bench/dist/${part}.js`, ...args])
}
run(process.execPath, ['bench/dist/report.js'])
if (options.short && operands.length === 0) run(process.execPath, ['scripts/bench-reading.mjs', '--short'])

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0 && status !== EX_TEMPFAIL) process.exit(status ?? 1)
}

function removeShortData() {
  rmSync(SHORT_DATA, { recursive: true, force: true })
}
