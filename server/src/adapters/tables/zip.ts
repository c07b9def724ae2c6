import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import { type Archive, damaged } from '@watchdesk/contract/xlsx/archive'
import { XLSX_LIMITS } from '@watchdesk/contract/xlsx/limits'
import { type Entry, openPromise } from 'yauzl'

/** Of each file that is read. */
const MAX_BYTES = 1_000_000_000
/** How much larger it may be than when compressed, after the first megabytes. The rows of a sheet repeat their text. */
const MAX_RATIO = 200
const FREE_BYTES = 10_000_000
const FREE_SHEET_BYTES = 100_000_000

export async function openZip(path: string): Promise<Archive & { close(): void }> {
  const zip = await openPromise(path, { autoClose: false, validateEntrySizes: true }).catch(refuse)
  try {
    if (zip.entryCount > XLSX_LIMITS.entries) throw new TableError(TABLE_MESSAGES.too_many_files)
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      // Names are case-insensitive, as in spreadsheet programs. The first of multiple entries with the same name wins.
      const name = entry.fileName.toLowerCase()
      if (!entries.has(name)) entries.set(name, entry)
    }
    return {
      async *read(name, isSheet = false) {
        const entry = entries.get(name.toLowerCase())
        if (!entry) return
        const freeBytes = isSheet ? FREE_SHEET_BYTES : FREE_BYTES
        const limit = Math.min(MAX_BYTES, Math.max(freeBytes, entry.compressedSize * MAX_RATIO))
        checkSize(entry.uncompressedSize, limit)
        try {
          let bytes = 0
          for await (const chunk of await zip.openReadStreamPromise(entry)) {
            bytes += chunk.length
            checkSize(bytes, limit)
            yield chunk
          }
        } catch (error) {
          refuse(error)
        }
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    return refuse(error)
  }
}

function checkSize(bytes: number, limit: number) {
  if (bytes > limit) throw new TableError('The workbook is too large when unpacked. Save it as CSV.')
}

function refuse(error: unknown): never {
  if (error instanceof TableError) throw error
  const { code, message } = Object(error)
  // A file system error is not the fault of the uploaded file.
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) throw error
  if (/encrypt/i.test(message)) throw new TableError(TABLE_MESSAGES.has_password)
  throw damaged()
}
