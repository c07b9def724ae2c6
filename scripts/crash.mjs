import { spawnSync } from 'node:child_process'
import { root, setup, tool } from './setup.mjs'

// Servers and databases killed while they import and while they vectorize, far more often than in the tests.
setup()
const [command, args] = tool('vitest/vitest.mjs', 'run', '--project', 'server', 'faults/killed')
const env = { CRASH_RUNS: '300', KILLS: '20', ...process.env }
process.exit(spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status ?? 1)
