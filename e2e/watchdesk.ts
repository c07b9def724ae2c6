import { ADMIN, startWithNewDatabase } from '../scripts/start-server.mjs'

export type Watchdesk = Awaited<ReturnType<typeof startWatchdesk>>

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
  return { ...server, ...ADMIN }
}
