import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isRunning, startOf } from '../processes.ts'

const OWNER_LOCK = 7_238_001
const RETRY_MS = 50

export type Owner = {
  /** Does nothing while the connection is away. */
  query(sql: string): Promise<void>
  release(): Promise<void>
}

type Claim = {
  dataDir: string
  /** Asked at each attempt: a database that was started again may have another socket. */
  connection(): pg.ClientConfig
  /** How long to wait for an owner to go: the connection of a killed one outlives it by a moment. */
  waitMs: number
}

/**
 * Makes this process the owner of a data directory's database, or returns undefined if another one is. A connection
 * holds the lock, so that it is free again the moment its holder dies. When the database drops all connections, as it
 * does after a crash of one backend, the lock is taken again; until then the owner's file keeps others away.
 */
export async function claim({ dataDir, connection, waitMs }: Claim): Promise<Owner | undefined> {
  const file = join(dataDir, 'owner')
  let isReleased = false
  let client = await firstLock()
  if (!client) return undefined
  keep(client)
  const fresh = `${file}.new-${process.pid}`
  await writeFile(fresh, `${process.pid} ${await startOf(process.pid)}\n`)
  await rename(fresh, file)

  return {
    query: async (sql) => void (await client?.query(sql)),
    async release() {
      isReleased = true
      // Before the lock is released, because the next owner writes its own file.
      await rm(file, { force: true })
      await client?.end().catch(() => {})
    },
  }

  async function firstLock() {
    const deadline = Date.now() + waitMs
    do {
      const isFree = !(await hasOtherOwner(file))
      const locked = isFree ? await lock(connection()).catch(() => undefined) : undefined
      // Again, as a new owner may have come in between.
      if (locked && !(await hasOtherOwner(file))) return locked
      await locked?.end().catch(() => {})
      await wait(RETRY_MS)
    } while (Date.now() < deadline)
    return undefined
  }

  function keep(held: pg.Client) {
    held.once('end', () => {
      client = undefined
      if (!isReleased) void takeAgain()
    })
  }

  async function takeAgain() {
    console.warn('The database closed the connection that holds the owner lock; taking the lock again')
    while (!isReleased) {
      const locked = await lock(connection()).catch(() => undefined)
      if (locked && isReleased) return locked.end().catch(() => {})
      if (locked) {
        client = locked
        keep(locked)
        console.warn('The owner lock of the database is held again')
        return
      }
      await wait(RETRY_MS)
    }
  }
}

async function lock(connection: pg.ClientConfig) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [OWNER_LOCK])
  if (rows[0]?.got) return client
  await client.end()
  return undefined
}

/** The file of a process that was killed identifies nobody: its number is free, or another process has it by now. */
async function hasOtherOwner(file: string) {
  const [pid, began] = (await readFile(file, 'utf8').catch(() => '')).trim().split(/ (.*)/)
  if (!pid || Number(pid) === process.pid || !isRunning(Number(pid))) return false
  return (await startOf(Number(pid))) === began
}
