import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY = /^Watchdesk is ready at (http:\S+)$/
const START_TIMEOUT_MS = 60_000

export type Watchdesk = { url: string; email: string; password: string; stop: () => Promise<void> }

/** The real server on its own fresh database. */
export async function startWatchdesk(): Promise<Watchdesk> {
  const email = 'admin@watchdesk.local'
  const password = 'correct horse battery'
  const data = await mkdtemp(join(tmpdir(), 'watchdesk-'))
  // PostgreSQL does not run as root: its own user must reach the folder too.
  await chmod(data, 0o755)
  const server = spawn(process.execPath, ['server/dist/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: data,
      BOOTSTRAP_ADMIN_EMAIL: email,
      BOOTSTRAP_ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
      LOGIN_RATE_LIMIT: '10000',
      // A machine busy with browsers is no fault of the server.
      MAX_EVENT_LOOP_DELAY_MS: '0',
    },
  })
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
    }
    await rm(data, { recursive: true, force: true })
  }
  try {
    return { url: await readiness(server), email, password, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readiness(server: ChildProcess) {
  if (server.stdout === null) throw new Error('The server has no output to read')
  const lines = createInterface({ input: server.stdout, signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  for await (const line of lines) {
    const url = READY.exec(line)?.[1]
    if (url === undefined) continue
    // An output that nobody reads would stop the server once its buffer is full.
    server.stdout.resume()
    return url
  }
  throw new Error('The server ended, or was silent for a minute, before it was ready')
}
