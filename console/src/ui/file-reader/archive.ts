import { invalidFile } from './file-error.ts'
import { MAX_PARTS, MAX_UNPACKED } from './limits.ts'

const END = 0x06054b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const PART = 0x02014b50
const PART_BYTES = 46

/**
 * Rejects an archive that would unpack to more than a browser can hold. The directory declares the size of each entry,
 * and the reader stops if an entry is larger, so checking the declared sizes is enough.
 */
export function checkArchive(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (end === undefined) throw invalidFile('It has the extension .xlsx but is not an Excel workbook.')
  const count = view.getUint16(end + 10, true)
  if (count > MAX_PARTS) throw tooLarge()
  let position = view.getUint32(end + 16, true)
  const unpacked = { rows: 0, other: 0 }
  for (let part = 0; part < count; part += 1) {
    if (position + PART_BYTES > bytes.length || view.getUint32(position, true) !== PART) throw invalidFile()
    const packed = view.getUint32(position + 20, true)
    const size = view.getUint32(position + 24, true)
    const nameLength = view.getUint16(position + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(position + PART_BYTES, position + PART_BYTES + nameLength))
    const isFolder = name.endsWith('/')
    // An empty entry takes two bytes at most. One without a declared size could have any size.
    if (!isFolder && (size === 0 || packed === 0) && Math.max(size, packed) > 2) throw tooLarge()
    unpacked[/(^|\/)worksheets\//i.test(name) ? 'rows' : 'other'] += size
    position += PART_BYTES + nameLength + view.getUint16(position + 30, true) + view.getUint16(position + 32, true)
  }
  if (unpacked.rows > MAX_UNPACKED.rows || unpacked.other > MAX_UNPACKED.other) throw tooLarge()
}

function findEnd(view: DataView) {
  const first = Math.max(0, view.byteLength - END_BYTES - LONGEST_COMMENT)
  for (let position = view.byteLength - END_BYTES; position >= first; position -= 1) {
    if (view.getUint32(position, true) === END) return position
  }
}

function tooLarge() {
  return invalidFile('It is too large when unpacked.')
}
