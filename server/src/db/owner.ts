import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isRunning, startOf } from '../processes.ts'

const OWNER_LOCK = 7_238_001
const RETRY_MS = 50

/**
 * Makes this process the owner of a data directory's database, or returns undefined if another one still is after `waitMs`.
 * The owner is the process in the file `owner`, for as long as it runs: also while the database is down.
 */
export async function claim(dataDir: string, connection: pg.ClientConfig, waitMs: number) {
  const file = join(dataDir, 'owner')
  const deadline = Date.now() + waitMs
  while (!(await becomeOwner(file, connection).catch(() => false))) {
    if (Date.now() >= deadline) return undefined
    await wait(RETRY_MS)
  }
  return { release: () => rm(file, { force: true }) }
}

/** The lock is only held while the file is read and written, so that one of several processes becomes the owner. */
async function becomeOwner(file: string, connection: pg.ClientConfig) {
  if (await hasOtherOwner(file)) return false
  return withConnection(connection, async (client) => {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [OWNER_LOCK])
    if (!rows[0]?.got || (await hasOtherOwner(file))) return false
    const fresh = `${file}.new-${process.pid}`
    await writeFile(fresh, `${process.pid} ${await startOf(process.pid)}\n`)
    await rename(fresh, file)
    return true
  })
}

export async function withConnection<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The file of a process that was killed identifies nobody: its number is free, or another process has it by now. */
async function hasOtherOwner(file: string) {
  const [pid, began] = (await readFile(file, 'utf8').catch(() => '')).trim().split(/ (.*)/)
  if (!pid || Number(pid) === process.pid || !isRunning(Number(pid))) return false
  return (await startOf(Number(pid))) === began
}
