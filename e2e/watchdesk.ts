import { ADMIN, startWithNewDatabase } from '../scripts/start-server.mjs'
import { runSql } from './database.ts'

export type Watchdesk = Awaited<ReturnType<typeof startWatchdesk>>

/** A third of the time after which the server asks to sign in again: a test may take another third. */
const SESSION_MS = 5 * 60_000

/** The real server on its own fresh database. */
export async function startWatchdesk(settings: Record<string, string> = {}) {
  // Starting takes longer while browsers use the CPU.
  const server = await startWithNewDatabase({
    LOGIN_RATE_LIMIT: '10000',
    EXPENSIVE_RATE_LIMIT: '10000',
    SESSIONS_PER_USER: '10000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
    // The sites of the tests are on loopback.
    LINK_CHECK_PRIVATE: 'on',
    // Otherwise a server would change the workspaces of a test, once their dates have come.
    QUOTA_RENEWAL: 'off',
    ...settings,
  })
  // Nothing has to survive a crash of this database, and writing takes a third less time.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await runSql(server, `alter system set ${setting} = off`)
  await runSql(server, 'select pg_reload_conf()')
  return { ...server, ...ADMIN, session: shareSession(server.url) }
}

/** The session of the super admin that the tests of a worker share. */
function shareSession(url: string) {
  let token = ''
  let renewAt = 0
  return {
    /** A test that ends its session in the console signs in by itself instead: see `signIn`. */
    async token() {
      if (Date.now() > renewAt) {
        token = await logIn(url, ADMIN)
        renewAt = Date.now() + SESSION_MS
      }
      return token
    },
    /** After a test has made it old: the next test signs in again. */
    forget() {
      renewAt = 0
    },
    async isOpen() {
      if (renewAt === 0) return true
      const { ok } = await fetch(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
      return ok
    },
  }
}

export async function logIn(url: string, { email, password }: { email: string; password: string }) {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  const response = await fetch(`${url}/api/v1/login`, { method: 'POST', headers, body })
  const { access_token } = await response.json()
  return String(access_token)
}
