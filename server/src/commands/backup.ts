import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createGzip } from 'node:zlib'
import { backup, readBackup, type Summary } from '../db/backup.ts'
import type { Database } from '../db/open.ts'
import { type Env, StartError } from '../env.ts'
import { makeFolder } from '../make-folder.ts'
import { removeLeftBehind } from '../processes.ts'
import { command } from './command.ts'
import { readingBackupFile } from './restore.ts'

const FILE_CALLS = ['open', 'write', 'writev', 'fsync', 'close']

/** npm run backup [-- FILE]: works while the server is running. */
export async function run([given]: string[]) {
  const target = (env: Env) => (given ? resolve(process.env.INIT_CWD ?? '.', given) : defaultFile(env))
  await command(({ pool }, env) => backUp(target(env), pool), {
    share: true,
    before: (env) => refuseUnusable(target(env)),
  })
}

function defaultFile({ DATA_DIR }: Env) {
  const stamp = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  return join(DATA_DIR, 'backups', `watchdesk-${stamp}.backup.gz`)
}

/** Fails early: a device would be replaced, and a directory would fail only at the end. */
async function refuseUnusable(file: string) {
  const existing = await stat(file).catch(() => undefined)
  if (existing && !existing.isFile()) throw new StartError(`${file} is not a regular file: choose another name`)
  await makeFolder(dirname(file)).catch((error) => {
    throw new StartError(`The folder of ${file} cannot be created: ${error.message}`)
  })
}

async function backUp(file: string, pool: Database['pool']) {
  await removeLeftBehind(file)
  // Renamed only when complete. Concurrent backups to the same file use separate temporary files.
  const incomplete = `${file}.new-${process.pid}`
  try {
    const summary = await write(incomplete, pool)
    const kept = await readingBackupFile(incomplete, readBackup).catch(() => undefined)
    if (!isDeepStrictEqual(kept, summary)) {
      throw new StartError(`The backup does not hold what was written to it: check the disk of ${dirname(file)}`)
    }
    await rename(incomplete, file)
    await syncFolder(dirname(file))
    const rows = Object.values(summary).reduce((sum, table) => sum + table.rows, 0)
    console.log(`Backed up ${rows} rows of ${Object.keys(summary).length} tables to ${file}`)
  } catch (error) {
    await rm(incomplete, { force: true })
    throw error
  }
}

async function write(file: string, pool: Database['pool']) {
  const summary: Summary = {}
  const sink = createWriteStream(file, { mode: 0o600, flush: true })
  await pipeline(backup(pool, summary), createGzip({ level: 6 }), sink).catch((error) => {
    throw FILE_CALLS.includes(error.syscall) ? new StartError(`The backup cannot be written: ${error.message}`) : error
  })
  return summary
}

/** A rename is durable only after the directory is synced. */
async function syncFolder(path: string) {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
