import { spawnSync } from 'node:child_process'
import { readCommandLine } from './command-line.mjs'
import { ALL_API_TESTS, findOldPostgres } from './postgres.mjs'
import { root, setup, tool } from './setup.mjs'

readCommandLine('test:postgres')
// The API tests on a PostgreSQL server (15 or newer), as a superuser: they create databases and roles.
const POSTGRES_DIR = process.env.POSTGRES_DIR ?? findOldPostgres()
if (!process.env.DATABASE_URL && !POSTGRES_DIR) {
  console.error('Set DATABASE_URL: DATABASE_URL=postgres://user:password@host:5432/postgres npm run test:postgres')
  process.exit(1)
}
setup()
const [command, args] = tool('vitest/vitest.mjs', 'run', ...ALL_API_TESTS)
const env = { TEST_ALL: '1', ...process.env, ...(!process.env.DATABASE_URL && { POSTGRES_DIR }) }
process.exit(spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status ?? 1)
