import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { restore } from '../db/backup.ts'
import type { Database } from '../db/open.ts'
import { StartError } from '../env.ts'
import { command } from './command.ts'

/** npm run restore -- FILE: restores into an empty DATA_DIR or database while the server is stopped. */
export function run([given = '']: string[]) {
  const file = resolve(process.env.INIT_CWD ?? '.', given)
  return command((database) => restoreFrom(file, database), { before: () => refuseUnreadable(file) })
}

async function refuseUnreadable(file: string) {
  await access(file, constants.R_OK).catch(({ code }) => {
    throw new StartError(`${file} cannot be read (${code})`)
  })
}

async function restoreFrom(file: string, { pool }: Database) {
  const summary = await readingBackupFile(file, (unzipped) => restore(pool, unzipped))
  const rows = Object.values(summary).reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows of ${Object.keys(summary).length} tables from ${file}`)
}

export async function readingBackupFile<Result>(file: string, read: (unzipped: Readable) => Promise<Result>) {
  const unzipped = createGunzip()
  // Errors surface on the decompressed stream.
  pipeline(createReadStream(file), unzipped, () => {})
  try {
    return await read(unzipped)
  } catch (error) {
    const isDamaged = /^Z_/.test((error as NodeJS.ErrnoException).code ?? '')
    throw isDamaged ? new StartError(`${file} is damaged or not a backup; nothing was restored`) : error
  } finally {
    unzipped.destroy()
  }
}
