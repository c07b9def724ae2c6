import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { root, setup, tool } from './setup.mjs'

// Faults far more often, and for longer, than in the tests: servers and databases killed while they import and while they
// vectorize, servers stopped under load and restarted one by one, the largest imports at once, a disk that fills up, slow
// clients that have all the time there is, and sign-ins that no limit holds back.
readCommandLine('crash')
setup()
const [command, args] = tool('vitest/vitest.mjs', 'run', '--project', 'whole server', 'test/faults/')
const env = {
  CRASH_RUNS: '300',
  KILLS: '20',
  RESTARTS: '10',
  LONG_ADDRESSES: '20',
  STOPS: '20',
  DISK_FILLS: '10',
  SLOW_CLIENT_TIMEOUT_MS: '15000',
  LOGIN_RATE_LIMIT: '1000000',
  ...process.env,
}
process.exit(spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status ?? 1)
