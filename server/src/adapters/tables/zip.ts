import { pipeline, Transform } from 'node:stream'
import { TableError } from '@watchdesk/contract/table-error'
import { type Entry, openPromise } from 'yauzl'
import { LIMITS } from './tables.ts'

export type Zip = {
  /**
   * The uncompressed bytes of a file in the archive; empty if it does not exist. The ratio is limited after
   * `freeBytes`.
   */
  read(name: string, freeBytes?: number): AsyncIterable<Buffer>
  close(): void
}

const DAMAGED = 'The file is not a readable XLSX workbook. Open it in a spreadsheet program and save it again as .xlsx.'

/** Opens an archive. Reading fails if a file exceeds its declared size or the limits. */
export async function openZip(path: string): Promise<Zip> {
  const zip = await openPromise(path, { autoClose: false, validateEntrySizes: true }).catch(refuse)
  try {
    if (zip.entryCount > LIMITS.entries) throw new TableError('The workbook contains too many files.')
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      // Names are case-insensitive, as in spreadsheet programs. The first of multiple entries with the same name wins.
      const name = entry.fileName.toLowerCase()
      if (!entries.has(name)) entries.set(name, entry)
    }
    return {
      async *read(name, freeBytes = LIMITS.ratioFreeBytes) {
        const entry = entries.get(name.toLowerCase())
        if (!entry) return
        const limit = Math.min(LIMITS.inflatedBytes, Math.max(freeBytes, entry.compressedSize * LIMITS.ratio))
        checkSize(entry.uncompressedSize, limit)
        const packed = await zip.openReadStreamPromise(entry).catch(refuse)
        yield* pipeline(packed, watch(limit), () => {}) as AsyncIterable<Buffer>
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    return refuse(error)
  }
}

function watch(limit: number) {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      try {
        checkSize(bytes, limit)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

function checkSize(bytes: number, limit: number) {
  if (bytes > limit) throw new TableError('The workbook is too large when unpacked. Save it as CSV.')
}

export function refuse(error: unknown): never {
  if (error instanceof TableError) throw error
  const { code, message } = Object(error)
  // A file system error is not the fault of the uploaded file.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) throw error
  if (/encrypt/i.test(message)) throw new TableError('The workbook is protected by a password. Save it without one.')
  throw new TableError(DAMAGED)
}
