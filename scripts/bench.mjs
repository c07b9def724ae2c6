import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { root, setup, tool } from './setup.mjs'

readCommandLine('bench')
setup()
for (const [command, args] of [
  tool('typescript/bin/tsc', '-b', 'bench'),
  [process.execPath, ['bench/dist/start.js']],
  [process.execPath, ['bench/dist/accounts.js']],
  [process.execPath, ['bench/dist/sources.js']],
  [process.execPath, ['bench/dist/embeddings.js']],
  [process.execPath, ['bench/dist/similar.js']],
  [process.execPath, ['bench/dist/stories.js']],
]) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
