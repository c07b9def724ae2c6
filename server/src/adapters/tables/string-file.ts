import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { type StringStore, tooMuchText } from '@watchdesk/contract/xlsx/shared-strings'
import { LIMITS } from './tables.ts'

const WRITTEN_AT_ONCE = 1_048_576
/** A page holds multiple short strings; a longer string has its own page. */
const PAGE_BYTES = 8192
const CACHED_BYTES = 32_000_000

/**
 * Shared strings can be as large as the sheet, so they are kept in an unlinked temporary file and read in small pages;
 * recently used pages stay in memory.
 */
export function createStringFile(path: string): StringStore & { close(): void } {
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  let ends = new Uint32Array(1024)
  let pageOf = new Uint32Array(1024)
  const pageStarts: number[] = [0]
  let count = 0
  let total = 0
  // Longer than any text of a cell.
  const pending = Buffer.allocUnsafeSlow(WRITTEN_AT_ONCE)
  let pendingBytes = 0
  const cached = new Map<number, Buffer>()
  let cachedBytes = 0

  return { add, get, close: () => closeSync(file) }

  function add(text: string) {
    const bytes = Buffer.byteLength(text)
    if (total + bytes > LIMITS.sharedBytes) throw tooMuchText()
    if (count === ends.length) {
      ends = longer(ends)
      pageOf = longer(pageOf)
    }
    const pageStart = pageStarts.at(-1) ?? 0
    if (total > pageStart && total + bytes - pageStart > PAGE_BYTES) pageStarts.push(total)
    total += bytes
    ends[count] = total
    pageOf[count] = pageStarts.length - 1
    count += 1
    if (pendingBytes + bytes > pending.length) flush()
    pendingBytes += pending.write(text, pendingBytes)
  }

  function flush() {
    for (let written = 0; written < pendingBytes; ) {
      written += writeSync(file, pending, written, pendingBytes - written)
    }
    pendingBytes = 0
  }

  function get(index: number) {
    const end = ends[index]
    if (index >= count || end === undefined) return
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0)
    const number = pageOf[index] ?? 0
    const from = pageStarts[number] ?? 0
    const page = cached.get(number) ?? readPage(number, from, pageStarts[number + 1] ?? total)
    return page.toString('utf8', start - from, end - from)
  }

  function readPage(number: number, from: number, to: number) {
    if (pendingBytes > 0) flush()
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
