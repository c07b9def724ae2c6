import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { restore } from '../db/backup.ts'
import { StartError } from '../env.ts'
import { command } from './command.ts'

// npm run restore -- FILE: into an empty DATA_DIR or database, with the server stopped.
await command(async ({ pool }) => {
  const given = process.argv[2]
  if (!given) throw new StartError('Name the backup: npm run restore -- FILE')
  const file = resolve(process.env.INIT_CWD ?? '.', given)
  await access(file).catch(() => {
    throw new StartError(`${file} cannot be read`)
  })
  const source = createReadStream(file)
  const unzipped = source.pipe(createGunzip())
  source.on('error', (error) => unzipped.destroy(error))
  const summary = await restore(pool, unzipped).catch((error) => {
    throw /^Z_/.test(error.code) ? new StartError(`${file} is damaged or not a backup; nothing was restored`) : error
  })
  const rows = Object.values(summary).reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows of ${Object.keys(summary).length} tables from ${file}`)
})
