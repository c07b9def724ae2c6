import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Without those that start their own servers, and those about query plans, which differ between versions. */
export const ALL_API_TESTS = ['--project', '*server', 'server/src/', 'server/test/security/']

/** The versions before the embedded one that the server accepts, oldest first. */
const OLDER = [15, 16, 17]

/** The directory of the oldest PostgreSQL that Debian's packages, or those of Ubuntu, installed here. */
export function findOldPostgres() {
  const directories = OLDER.map((version) => `/usr/lib/postgresql/${version}`)
  return directories.find((directory) => existsSync(join(directory, 'bin/postgres')))
}
