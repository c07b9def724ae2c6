import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { TableError } from '@watchdesk/contract/table-error'
import { unescaped } from './cell.ts'
import { LIMITS } from './tables.ts'
import { readSmallXml, type XmlHandlers } from './xml.ts'

const WRITTEN_AT_ONCE = 1_048_576
/** A page holds multiple short strings; a longer string has its own page. */
const PAGE_BYTES = 8192
const CACHED_BYTES = 32_000_000

/**
 * The shared strings of a workbook, which cells reference by index, in any order. They can be as large as the sheet, so
 * they are kept in an unlinked temporary file and read in small pages; recently used pages stay in memory.
 */
export function createSharedStrings(path: string) {
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  let ends = new Uint32Array(1024)
  let pageOf = new Uint32Array(1024)
  const pageStarts: number[] = [0]
  let count = 0
  let total = 0
  let pending: Buffer[] = []
  let pendingBytes = 0
  const cached = new Map<number, Buffer>()
  let cachedBytes = 0

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
    if (count >= LIMITS.sharedStrings || total + bytes.length > LIMITS.sharedBytes) {
      throw new TableError('The workbook contains too much text. Save it as CSV.')
    }
    if (count === ends.length) {
      ends = longer(ends)
      pageOf = longer(pageOf)
    }
    const pageStart = pageStarts.at(-1) ?? 0
    if (total > pageStart && total + bytes.length - pageStart > PAGE_BYTES) pageStarts.push(total)
    total += bytes.length
    ends[count] = total
    pageOf[count] = pageStarts.length - 1
    count += 1
    pending.push(bytes)
    pendingBytes += bytes.length
    if (pendingBytes >= WRITTEN_AT_ONCE) flush()
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
    const number = pageOf[index] ?? 0
    const from = pageStarts[number] ?? 0
    const page = cached.get(number) ?? readPage(number, from, pageStarts[number + 1] ?? total)
    return page.toString('utf8', start - from, end - from)
  }

  function readPage(number: number, from: number, to: number) {
    const page = Buffer.allocUnsafeSlow(to - from)
    for (let filled = 0; filled < page.length; ) {
      filled += readSync(file, page, filled, page.length - filled, from + filled)
    }
    cached.set(number, page)
    cachedBytes += page.length
    for (const [oldest, { length }] of cached) {
      if (cachedBytes <= CACHED_BYTES) break
      cached.delete(oldest)
      cachedBytes -= length
    }
    return page
  }
}

function longer(numbers: Uint32Array) {
  const more = new Uint32Array(numbers.length * 2)
  more.set(numbers)
  return more
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
      if (length > LIMITS.cellLength * 7) throw tooLong()
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
