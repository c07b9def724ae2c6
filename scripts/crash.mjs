import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { root, setup, tool } from './setup.mjs'

// Runs the fault tests far more often and for longer: servers and databases killed during imports and vectorization,
// servers stopped under load and restarted one by one, the largest imports at the same time, a full disk, very slow
// clients, sign-ins without a rate limit, generated requests, and generated sequences of imports, changes of
// many records and undos.
readCommandLine('crash')
setup()
const [command, args] = tool(
  'vitest/vitest.mjs',
  'run',
  '--project',
  '*server',
  'test/faults/',
  'test/security/fuzz.complete',
  'test/imports-model.complete',
  'test/bulk-changes-model.complete',
)
const env = {
  TEST_ALL: '1',
  CRASH_RUNS: '300',
  FUZZ_RUNS: '2000',
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
