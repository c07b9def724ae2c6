import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import { damaged } from '@watchdesk/contract/xlsx/archive'
import { XLSX_LIMITS } from '@watchdesk/contract/xlsx/limits'

/** A file in a ZIP archive. */
export type Entry = {
  name: string
  /** Where it starts in the archive. */
  offset: number
  /** Its size in the archive, in bytes. */
  packed: number
  /** Its declared size when unpacked. */
  size: number
  method: number
  isEncrypted: boolean
}

const END = 0x06054b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const LARGE_END = 0x06064b50
const LARGE_END_BYTES = 56
const LARGE_END_LOCATOR = 0x07064b50
const LARGE_END_LOCATOR_BYTES = 20
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const LARGE_FIELD = 1
/** The actual number is in a 64-bit field. */
const IS_LARGE = 0xffff_ffff

/** The list of files at the end of a ZIP archive, also in its 64-bit format. */
export async function readDirectory(file: Blob): Promise<Entry[]> {
  try {
    const { count, offset } = await findDirectory(file)
    if (count > XLSX_LIMITS.entries) throw new TableError(TABLE_MESSAGES.too_many_files)
    const bytes = await file.slice(offset).arrayBuffer()
    return readEntries(new DataView(bytes), count)
  } catch (error) {
    // A position is outside of the file.
    throw error instanceof RangeError ? damaged() : error
  }
}

async function findDirectory(file: Blob) {
  const tailBytes = LARGE_END_LOCATOR_BYTES + END_BYTES + LONGEST_COMMENT
  const tail = new DataView(await file.slice(-tailBytes).arrayBuffer())
  for (let end = tail.byteLength - END_BYTES; end >= 0; end -= 1) {
    if (tail.getUint32(end, true) !== END) continue
    // Like on the server, nothing may follow the comment.
    if (tail.getUint16(end + 20, true) !== tail.byteLength - end - END_BYTES) throw damaged()
    const locator = end - LARGE_END_LOCATOR_BYTES
    if (locator < 0 || tail.getUint32(locator, true) !== LARGE_END_LOCATOR) {
      return { count: tail.getUint16(end + 10, true), offset: tail.getUint32(end + 16, true) }
    }
    const start = largeNumber(tail, locator + 8)
    const large = new DataView(await file.slice(start, start + LARGE_END_BYTES).arrayBuffer())
    if (large.getUint32(0, true) !== LARGE_END) throw damaged()
    return { count: largeNumber(large, 32), offset: largeNumber(large, 48) }
  }
  throw new TableError('It has the extension .xlsx but is not an Excel workbook.')
}

function readEntries(view: DataView<ArrayBuffer>, count: number) {
  const entries: Entry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== ENTRY) throw damaged()
    const nameBytes = view.getUint16(at + 28, true)
    const extraBytes = view.getUint16(at + 30, true)
    const nameStart = at + ENTRY_BYTES
    const extra = new DataView(view.buffer, nameStart + nameBytes, extraBytes)
    const numbers = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
    const [size = 0, packed = 0, offset = 0] = numbers.includes(IS_LARGE) ? largeNumbers(extra, numbers) : numbers
    entries.push({
      name: new TextDecoder().decode(new Uint8Array(view.buffer, nameStart, nameBytes)),
      offset,
      packed,
      size,
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    })
    at = nameStart + nameBytes + extraBytes + view.getUint16(at + 32, true)
  }
  return entries
}

/** Replaces each number that does not fit by the next one in the extra field. */
function largeNumbers(extra: DataView, numbers: number[]) {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== LARGE_FIELD) continue
    let next = at + 4
    return numbers.map((number) => {
      if (number !== IS_LARGE) return number
      next += 8
      return largeNumber(extra, next - 8)
    })
  }
  return numbers
}

function largeNumber(view: DataView, at: number) {
  return Number(view.getBigUint64(at, true))
}
