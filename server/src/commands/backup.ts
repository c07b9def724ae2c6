import { once } from 'node:events'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { backup } from '../db/backup.ts'
import type { Database } from '../db/open.ts'
import type { Env } from '../env.ts'
import { command } from './command.ts'

/** npm run backup [-- FILE]: also while the server runs. */
export const run = ([given]: string[]) => command((database, env) => backUp(given, database, env), { share: true })

async function backUp(given: string | undefined, { pool }: Database, env: Env) {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  const file = given
    ? resolve(process.env.INIT_CWD ?? '.', given)
    : join(env.DATA_DIR, 'backups', `watchdesk-${stamp}.backup.gz`)
  await mkdir(dirname(file), { recursive: true })
  const unfinished = `${file}.unfinished`
  try {
    const handle = await open(unfinished, 'w', 0o600)
    const gzip = createGzip({ level: 6 })
    const sink = new Writable({
      write: (chunk, _encoding, done) => void handle.write(chunk).then(() => done(), done),
    })
    const written = pipeline(gzip, sink)
    const summary = await backup(pool, async (chunk) => {
      if (!gzip.write(chunk)) await once(gzip, 'drain')
    })
    gzip.end()
    await written
    await handle.sync()
    await handle.close()
    // Under its name only when it is whole.
    await rename(unfinished, file)
    const rows = Object.values(summary).reduce((sum, table) => sum + table.rows, 0)
    console.log(`Backed up ${rows} rows of ${Object.keys(summary).length} tables to ${file}`)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
