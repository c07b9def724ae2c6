import { TableError } from '../table-error.ts'
import { unescaped } from './cell.ts'
import { XLSX_LIMITS } from './limits.ts'
import { readSmallXml } from './xml.ts'

/** Stores the shared strings of a workbook, which cells reference by index, in any order. */
export type StringStore = {
  add(text: string): void
  /** Undefined if there is no such string. */
  get(index: number): string | undefined
}

export async function loadSharedStrings(xml: AsyncIterable<Uint8Array>, store: StringStore) {
  const collector = createTextCollector('si')
  let count = 0
  let elements = 0
  await readSmallXml(
    xml,
    {
      open(name) {
        elements += 1
        if (elements > XLSX_LIMITS.sharedElements) throw tooMuchText()
        collector.open(name)
      },
      text: collector.text,
      close(name) {
        const text = collector.close(name)
        if (text === undefined) return
        if (count >= XLSX_LIMITS.sharedStrings) throw tooMuchText()
        count += 1
        store.add(text)
      },
    },
    () => count,
  )
}

/** Joins the runs of a rich text and leaves out phonetic hints. */
export function createTextCollector(container: string) {
  let depth = 0
  let aids = 0
  let isText = false
  let parts: string[] = []
  let length = 0
  return {
    open(name: string) {
      if (name === container) depth += 1
      else if (name === 'rPh') aids += 1
      else if (name === 't') isText = depth > 0 && aids === 0
    },
    text(text: string) {
      if (!isText) return
      length += text.length
      // An escaped character counts as one, and takes up to seven characters in the file.
      if (length > XLSX_LIMITS.cellLength * 7) throw tooLong()
      parts.push(text)
    },
    /** Returns the text when its element closes. */
    close(name: string) {
      if (name === 't') isText = false
      else if (name === 'rPh') aids -= 1
      else if (name === container) {
        const text = unescaped(parts.join(''))
        depth -= 1
        parts = []
        length = 0
        if (text.length > XLSX_LIMITS.cellLength) throw tooLong()
        return text
      }
      return undefined
    },
  }
}

export function tooLong() {
  return new TableError(`A cell has more than ${XLSX_LIMITS.cellLength.toLocaleString('en')} characters. Shorten it.`)
}

export function tooMuchText() {
  return new TableError('The workbook contains too much text. Save it as CSV.')
}
