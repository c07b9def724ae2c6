import { readSource, type WrittenSource } from '@watchdesk/contract/source-row'
import type { Counts, Outcome } from './messages.ts'

export const OUTCOMES = [
  'requested',
  'repeated in the file',
  'unsupported platform',
  'invalid URL',
  'unknown country',
  'skipped',
] as const satisfies Outcome[]

const NONE = -1
const REQUESTED = OUTCOMES.indexOf('requested')
const REPEATED = OUTCOMES.indexOf('repeated in the file')
const SKIPPED = OUTCOMES.indexOf('skipped')

type Rows = {
  count: number
  writtenAt: (index: number) => WrittenSource
  isSkipped: (index: number) => boolean
}

/**
 * The outcome of every row, one byte each. A row is read again only when it is edited. Which rows repeat a source is
 * then decided for all rows: comparing a million numbers takes a few milliseconds.
 */
export function createJudge({ count, writtenAt, isSkipped }: Rows) {
  /** The outcome of each row, if there were no others. */
  const own = new Uint8Array(count)
  /** 1 for skipped rows. */
  const skipped = new Uint8Array(count)
  /** A number for each different source; -1 for rows without one. */
  const sources = new Int32Array(count)
  const known = new Map<string, number>()
  const outcomes = new Uint8Array(count)
  let firstRows = new Int32Array()

  function read(index: number) {
    skipped[index] = Number(isSkipped(index))
    const source = readSource(writtenAt(index))
    const isGood = typeof source !== 'string'
    own[index] = OUTCOMES.indexOf(isGood ? 'requested' : source)
    // The host in the address identifies the platform.
    sources[index] = isGood ? numberOf(source.url) : NONE
  }

  function numberOf(url: string) {
    const number = known.get(url)
    if (number !== undefined) return number
    known.set(url, known.size)
    return known.size - 1
  }

  /** The first row with a source is imported; the others repeat it. Returns the number of rows per outcome. */
  function judge(): NonNullable<Counts> {
    const found = new Uint32Array(OUTCOMES.length)
    firstRows = new Int32Array(known.size).fill(NONE)
    for (let index = 0; index < count; index += 1) {
      const code = codeOf(index)
      outcomes[index] = code
      found[code] = (found[code] ?? 0) + 1
    }
    return Object.fromEntries(OUTCOMES.map((outcome, code) => [outcome, found[code] ?? 0]).filter(([, rows]) => rows))
  }

  function codeOf(index: number) {
    if (skipped[index] === 1) return SKIPPED
    const source = sources[index] ?? NONE
    if (source === NONE) return own[index] ?? 0
    if (firstRows[source] !== NONE) return REPEATED
    firstRows[source] = index
    return REQUESTED
  }

  return {
    read,
    judge,
    codes: () => outcomes,
    outcomeAt: (index: number) => OUTCOMES[outcomes[index] ?? 0] ?? 'requested',
    /** The row that this one repeats. */
    firstLike: (index: number) => firstRows[sources[index] ?? NONE],
    /** Whether the row has an error, whatever the others contain. */
    isWrong: (index: number) => sources[index] === NONE,
  }
}
