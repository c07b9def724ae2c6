import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import { type Archive, damaged } from '@watchdesk/contract/xlsx/archive'
import { MAX_UNPACKED } from './limits.ts'
import { type Entry, readDirectory } from './zip-directory.ts'

const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8

/** Opens an archive. Reading fails if a file exceeds its declared size, or would unpack to more than a browser can hold. */
export async function openArchive(file: Blob): Promise<Archive> {
  const entries = new Map<string, Entry>()
  for (const entry of await readDirectory(file)) {
    // Some programs write backslashes. Names are case-insensitive, as in spreadsheet programs. The first of multiple
    // entries with the same name wins.
    const name = entry.name.replaceAll('\\', '/').toLowerCase()
    if (!entries.has(name)) entries.set(name, entry)
  }
  return {
    async *read(name, isSheet = false) {
      const entry = entries.get(name.toLowerCase())
      if (!entry) return
      if (entry.size > MAX_UNPACKED[isSheet ? 'rows' : 'other'])
        throw new TableError('It is too large when unpacked. Save it as CSV.')
      yield* unpack(file, entry)
    },
  }
}

async function* unpack(file: Blob, { offset, packed, size, method, isEncrypted }: Entry) {
  if (isEncrypted) throw new TableError(TABLE_MESSAGES.has_password)
  const local = new DataView(await file.slice(offset, offset + LOCAL_BYTES).arrayBuffer())
  const isKnown = method === STORED || method === DEFLATED
  if (local.byteLength < LOCAL_BYTES || local.getUint32(0, true) !== LOCAL || !isKnown) throw damaged()
  // The name and the extra field may differ in length from those in the directory.
  const start = offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true)
  const bytes = file.slice(start, start + packed).stream()
  // Not every browser can iterate over a stream.
  const reader = (method === STORED ? bytes : bytes.pipeThrough(new DecompressionStream('deflate-raw'))).getReader()
  let read = 0
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      read += next.value.length
      if (read > size) break
      yield next.value
    }
  } catch (error) {
    // The file was deleted or changed, or else it cannot be unpacked.
    throw error instanceof DOMException ? error : damaged()
  } finally {
    reader.cancel().catch(() => {})
  }
  if (read !== size) throw damaged()
}
