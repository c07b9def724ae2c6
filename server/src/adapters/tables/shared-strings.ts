import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { unescaped } from './cell.ts'
import { LIMITS, TableError } from './tables.ts'
import { readSmallXml, type XmlHandlers } from './xml.ts'

const PAGE = 1_048_576

/**
 * The texts that cells refer to by number. They can be as large as the sheet, so they lie in a file without a name, and
 * are read in stretches: programs number them in the order of the cells.
 */
export function createSharedStrings(path: string) {
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  let ends = new Float64Array(1024)
  let count = 0
  let total = 0
  let pending: Buffer[] = []
  let pendingBytes = 0
  const page = { from: 0, bytes: Buffer.alloc(0) }

  return { load, get, close: () => closeSync(file) }

  async function load(xml: AsyncIterable<Buffer>) {
    const collector = createTextCollector('si')
    const handlers: XmlHandlers = {
      open: collector.open,
      text: collector.text,
      close(name) {
        const text = collector.close(name)
        if (text !== undefined) add(text)
      },
    }
    await readSmallXml(xml, handlers, () => count)
    flush()
  }

  function add(text: string) {
    const bytes = Buffer.from(text)
    total += bytes.length
    if (count >= LIMITS.sharedStrings || total > LIMITS.sharedBytes) {
      throw new TableError('The workbook holds more text than can be read. Save it as CSV.')
    }
    if (count === ends.length) {
      const longer = new Float64Array(ends.length * 2)
      longer.set(ends)
      ends = longer
    }
    ends[count] = total
    count += 1
    pending.push(bytes)
    pendingBytes += bytes.length
    if (pendingBytes >= PAGE) flush()
  }

  function flush() {
    const bytes = Buffer.concat(pending)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    pending = []
    pendingBytes = 0
  }

  function get(index: number) {
    const end = ends[index]
    if (!Number.isInteger(index) || index >= count || end === undefined) {
      throw new TableError('The workbook is damaged: a cell refers to a text that is not there.')
    }
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0)
    if (start < page.from || end > page.from + page.bytes.length) turnTo(start, end)
    return page.bytes.toString('utf8', start - page.from, end - page.from)
  }

  function turnTo(start: number, end: number) {
    const bytes = Buffer.allocUnsafe(Math.min(Math.max(PAGE, end - start), total - start))
    let filled = 0
    while (filled < bytes.length) filled += readSync(file, bytes, filled, bytes.length - filled, start + filled)
    page.from = start
    page.bytes = bytes
  }
}

/** Joins the runs of a rich text, without the reading aids that stand beside them. */
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
      // An escaped character counts as one; whoever writes nothing else may take seven for each.
      if (length > LIMITS.cellLength * 7) throw tooLong()
      parts.push(text)
    },
    /** The text, when its container ends. */
    close(name: string) {
      if (name === 't') isText = false
      else if (name === 'rPh') aids -= 1
      else if (name === container) {
        const text = unescaped(parts.join(''))
        depth -= 1
        parts = []
        length = 0
        if (text.length > LIMITS.cellLength) throw tooLong()
        return text
      }
      return undefined
    },
  }
}

export function tooLong() {
  return new TableError(`A cell holds more than ${LIMITS.cellLength.toLocaleString('en')} characters.`)
}
