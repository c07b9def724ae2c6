import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/db/embedded.ts'

/** A directory for PostgreSQL, which runs as another user if root starts it. */
export function makeDataDir() {
  const dir = mkdtempSync(join(tmpdir(), 'watchdesk-postgres-'))
  chmodSync(dir, 0o755)
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** The embedded PostgreSQL, or the one in POSTGRES_DIR, which ends in its major version: /usr/lib/postgresql/15. */
export function startPostgres(dir: string, settings: Record<string, string> = {}) {
  const other = process.env.POSTGRES_DIR
  return startEmbedded(dir, {
    settings: { fsync: 'off', ...settings },
    ...(other && { binaries: { dir: other, major: /\d+$/.exec(other)?.[0] } }),
  })
}
