import { MAX_ROW_LENGTH } from './limits.ts'
import { TableError } from './table-error.ts'

const [QUOTE, LF, CR] = [34, 10, 13]

/**
 * As lenient as spreadsheet programs: any line ending, also mixed; quotes inside a value; text after a closing quote.
 * Reads every character once, so that a chunk never takes longer than its own length, also within a long row.
 */
export function parseCsv(delimiter: string, onRow: (row: { row: number; cells: string[] }) => void) {
  const separator = delimiter.charCodeAt(0)
  let row = 0
  /** Of the incomplete row, in earlier chunks. */
  let rowLength = 0
  let cells: string[] = []
  let value = ''
  /** The position in the value. After `closed`, another quotation mark may follow: then it is still quoted. */
  let state: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  /** A line feed may follow, which belongs to the same line ending. */
  let isAfterReturn = false

  function write(text: string) {
    let valueStart = 0
    let rowStart = 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const isSameEnding = isAfterReturn && code === LF
      isAfterReturn = false
      if (isSameEnding) {
        valueStart = at + 1
        rowStart = at + 1
        continue
      }
      if (state === 'quoted') {
        at = text.indexOf('"', at)
        if (at === -1) break
        state = 'closed'
        continue
      }
      if (state === 'closed' && code !== QUOTE) {
        value = unquoted(value + text.slice(valueStart, at))
        valueStart = at
        state = 'bare'
      }
      if (code === QUOTE && state !== 'bare') {
        if (state === 'start') valueStart = at + 1
        state = 'quoted'
      } else if (code === separator || code === LF || code === CR) {
        endValue(value + text.slice(valueStart, at))
        valueStart = at + 1
        if (code === separator) continue
        endRow()
        rowStart = at + 1
        isAfterReturn = code === CR
      } else state = 'bare'
    }
    value += text.slice(valueStart)
    rowLength = text.length - rowStart + (rowStart === 0 ? rowLength : 0)
    if (rowLength > MAX_ROW_LENGTH) {
      throw new TableError(`Row ${row + 1} is too long. A closing quotation mark may be missing.`)
    }
  }

  function end() {
    if (state === 'quoted') throw new TableError(`Row ${row + 1}: a quotation mark is opened and never closed.`)
    // A trailing separator adds an empty value.
    if (state === 'start' && cells.length === 0) return
    endValue(state === 'closed' ? unquoted(value) : value)
    endRow()
  }

  function endValue(whole: string) {
    cells.push(whole)
    value = ''
    state = 'start'
  }

  function endRow() {
    row += 1
    onRow({ row, cells })
    cells = []
  }

  return { write, end }
}

/** Without its closing quotation mark. Not `replaceAll`: it joins many parts only when the text is read, which blocks. */
function unquoted(text: string) {
  return text.slice(0, -1).split('""').join('"')
}
