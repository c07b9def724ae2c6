import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { restore } from '../db/backup.ts'
import type { Database } from '../db/open.ts'
import { StartError } from '../env.ts'
import { command } from './command.ts'

/** npm run restore -- FILE: into an empty DATA_DIR or database, with the server stopped. */
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
  const source = createReadStream(file)
  const unzipped = source.pipe(createGunzip())
  source.on('error', (error) => unzipped.destroy(error))
  const summary = await restore(pool, unzipped).catch((error) => {
    throw /^Z_/.test(error.code) ? new StartError(`${file} is damaged or not a backup; nothing was restored`) : error
  })
  const rows = Object.values(summary).reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows of ${Object.keys(summary).length} tables from ${file}`)
}
