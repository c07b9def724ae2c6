import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { root, setup, tool } from './setup.mjs'

readCommandLine('test:postgres')
// The API tests on a PostgreSQL server (15 or newer), as a superuser: they create databases and roles.
if (!process.env.DATABASE_URL) {
  console.error('Set DATABASE_URL: DATABASE_URL=postgres://user:password@host:5432/postgres npm run test:postgres')
  process.exit(1)
}
setup()
const [command, args] = tool('vitest/vitest.mjs', 'run', '--project', '*server')
process.exit(spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status ?? 1)
