import { TABLE_MESSAGES, TableError } from '../table-error.ts'
import { unescaped } from './cell.ts'
import { XLSX_LIMITS } from './limits.ts'
import { readSmallXml } from './xml.ts'

/** Stores the shared strings of a workbook, which cells reference by index, in any order. */
export type StringStore = {
  add(text: string): void
  get(index: number): string | undefined
}

export async function loadSharedStrings(xml: AsyncIterable<Uint8Array>, store: StringStore) {
  const collector = createTextCollector()
  let count = 0
  let elements = 0
  const handlers = {
    ...collector,
    open(name: string) {
      elements += 1
      if (elements > XLSX_LIMITS.sharedElements) throw new TableError(TABLE_MESSAGES.too_much_text)
      collector.open(name)
    },
    close(name: string) {
      collector.close(name)
      if (name !== 'si') return
      if (count >= XLSX_LIMITS.sharedStrings) throw new TableError(TABLE_MESSAGES.too_much_text)
      count += 1
      store.add(plainText(collector.take() ?? ''))
    },
  }
  await readSmallXml(xml, handlers, () => count)
}

/** Collects the text of a cell or shared string: joins the runs of a rich text and leaves out phonetic hints. */
export function createTextCollector() {
  let hints = 0
  let isText = false
  let collected: string | undefined
  return {
    open(name: string) {
      if (name === 'rPh') hints += 1
      else if (name === 'is') collected ??= ''
      else if ((name === 't' || name === 'v') && hints === 0) {
        isText = true
        collected ??= ''
      }
    },
    text(piece: string) {
      if (!isText) return
      collected += piece
      // An escaped character counts as one, and takes up to seven characters in the file.
      if (collected !== undefined && collected.length > XLSX_LIMITS.cellLength * 7)
        throw new TableError(TABLE_MESSAGES.long_cell)
    },
    close(name: string) {
      if (name === 'rPh') hints -= 1
      else if (name === 't' || name === 'v') isText = false
    },
    /** The text since the last time; undefined if there is no element for one. */
    take() {
      const text = collected
      collected = undefined
      return text
    },
  }
}

export function plainText(escaped: string) {
  const text = unescaped(escaped)
  if (text.length > XLSX_LIMITS.cellLength) throw new TableError(TABLE_MESSAGES.long_cell)
  return text
}
