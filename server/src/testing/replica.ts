import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Watchdesk } from './watchdesk.ts'

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** A server in a process of its own, from the build, on the database of a test. */
export async function startReplica({ database }: Pick<Watchdesk, 'database'>, settings: Record<string, string> = {}) {
  const { host = '', port = 5432, user = '', password = '' } = inject('postgres')
  const name = database.pool.options.database
  const credentials = [user, String(password ?? '')].map(encodeURIComponent).join(':')
  const DATABASE_URL = `postgres://${credentials}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  return startBuilt({ DATABASE_URL, ...settings })
}

/** The same on whatever database the settings name. */
export async function startBuilt(settings: Record<string, string>) {
  // A machine busy with other tests is no fault of the server.
  const defaults = { PATH: process.env.PATH, PORT: '0', MAX_EVENT_LOOP_DELAY_MS: '0' }
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...defaults, ...settings },
  })
  const url = await printedAddress(child)
  return {
    url,
    pid: child.pid ?? 0,
    async end(signal: NodeJS.Signals) {
      const exit = once(child, 'exit')
      child.kill(signal)
      const [code] = await exit
      return code as number | null
    },
  }
}

export type Replica = Awaited<ReturnType<typeof startReplica>>

function printedAddress(child: ChildProcess) {
  return new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const address = /ready at (http\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${output}`)))
  })
}
