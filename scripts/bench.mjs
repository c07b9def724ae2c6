import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { BENCHMARKS } from './commands.mjs'
import { root, setup, tool } from './setup.mjs'

const { operands, options } = readCommandLine('bench')
setup()
run(...tool('typescript/bin/tsc', '-b', 'bench'))
for (const part of operands.length > 0 ? operands : BENCHMARKS) {
  const args = part === 'accounts' && options.peers ? ['--peers'] : []
  run(process.execPath, [`bench/dist/${part}.js`, ...args])
}
run(process.execPath, ['bench/dist/report.js'])

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
