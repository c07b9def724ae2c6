import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartError } from '../env.ts'

/** Reads a backup, and reports a file that is no gzip, or not all of it, in one line. */
export async function readingBackupFile<Result>(file: string, read: (unzipped: Readable) => Promise<Result>) {
  const unzipped = createGunzip()
  // An error reaches whoever reads the unzipped stream.
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
