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

export function startPostgres(dir: string, settings: Record<string, string> = {}) {
  return startEmbedded(dir, { settings: { fsync: 'off', ...settings } })
}
