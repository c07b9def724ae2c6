import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartError } from '../env.ts'

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
