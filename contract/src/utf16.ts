import { TABLE_MESSAGES, TableError } from './table-error.ts'

/** The signatures of an archive (.xlsx, .ods, .zip) and of a legacy Office file. */
const OTHER_FILES = ['504b0304', 'd0cf11e0']

/** Throws if a file with these first bytes is not a text. Some such bytes look like UTF-16. */
export function checkStart(start: Uint8Array) {
  const signature = start.subarray(0, 4).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
  if (OTHER_FILES.includes(signature)) throw new TableError(TABLE_MESSAGES.no_text)
}

/** Other files contain NUL, which no text does. */
export function checkText(text: string) {
  if (text.includes('\0')) throw new TableError(TABLE_MESSAGES.no_text)
}

/** Detects UTF-16 in the first bytes of a CSV or XML file, by its byte order mark or the zero bytes of its header. */
export function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Header letters are ASCII, so in UTF-16 every other byte of the line is zero.
  const lineEnd = start.findIndex((byte) => byte === 10 || byte === 13)
  const header = start.subarray(0, lineEnd === -1 ? 64 : Math.min(lineEnd, 64))
  const even = header.filter((byte, index) => byte === 0 && index % 2 === 0).length
  const odd = header.filter((byte, index) => byte === 0 && index % 2 === 1).length
  const many = header.length / 4
  if (odd > many && odd > even * 3) return 'utf-16le'
  if (even > many && even > odd * 3) return 'utf-16be'
  return undefined
}
