import { ADMIN, startWithNewDatabase } from '../scripts/start-server.mjs'

export type Watchdesk = Awaited<ReturnType<typeof startWatchdesk>>

/** The real server on its own fresh database. */
export async function startWatchdesk() {
  // Starting takes longer while browsers use the CPU.
  const server = await startWithNewDatabase({ LOGIN_RATE_LIMIT: '10000', MAX_EVENT_LOOP_DELAY_MS: '0' })
  return { ...server, ...ADMIN }
}
