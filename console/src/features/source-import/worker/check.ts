import { countryCode } from '@watchdesk/contract/countries'
import {
  readAddress,
  type SourceOutcome,
  sourceChecker,
  sourceColumns,
  writtenText,
} from '@watchdesk/contract/source-row'
import type { Table } from './collector.ts'
import type { Counts, Outcome, PreviewRow } from './messages.ts'

const ROWS_PER_REPORT = 20_000
const OUTCOMES = [
  'requested',
  'repeated in the file',
  'unsupported platform',
  'invalid URL',
  'unknown country',
] as const satisfies SourceOutcome[]

/** The outcome of every row, stored as one byte each. The contents of a preview row are computed on demand. */
export function checkTable({ keys, values, rows }: Table, progress: (part: number) => void) {
  const columns = sourceColumns(keys.filter((key) => key !== undefined))
  const codes = new Uint8Array(values.length)
  const counts = columns ? countAll() : null
  const indexes = new Map<Outcome, Uint32Array>()

  function countAll() {
    const check = sourceChecker()
    const found: NonNullable<Counts> = {}
    for (let index = 0; index < values.length; index += 1) {
      const { outcome } = check(writtenAt(index), rows[index] ?? 0)
      found[outcome] = (found[outcome] ?? 0) + 1
      codes[index] = OUTCOMES.indexOf(outcome)
      if (index % ROWS_PER_REPORT === 0) progress(index / values.length)
    }
    return found
  }

  function writtenAt(index: number) {
    const text = (name: string | undefined, kind: 'link' | 'country') =>
      name === undefined ? '' : writtenText(String(values[index]?.[keys.indexOf(name)] ?? ''), kind)
    return { url: text(columns?.url, 'link'), country: text(columns?.country, 'country') }
  }

  /** The indexes of the rows with this outcome. */
  function indexesOf(outcome: Outcome) {
    const known = indexes.get(outcome)
    if (known) return known
    const code = OUTCOMES.indexOf(outcome)
    const found = new Uint32Array(counts?.[outcome] ?? 0)
    let next = 0
    for (const [index, other] of codes.entries()) {
      if (other === code) found[next++] = index
    }
    indexes.set(outcome, found)
    return found
  }

  function show(index: number): PreviewRow {
    const written = writtenAt(index)
    const address = readAddress(written.url)
    return {
      row: rows[index] ?? 0,
      written,
      platform: typeof address === 'string' ? undefined : address.platform,
      country: countryCode(written.country),
      outcome: OUTCOMES[codes[index] ?? 0] ?? 'requested',
    }
  }

  return {
    counts,
    /** A range of the rows with this outcome, or of all rows. */
    slice: (outcome: Outcome | undefined, from: number, to: number) => {
      const wanted = outcome && indexesOf(outcome)
      const end = Math.min(to, wanted?.length ?? values.length)
      return Array.from({ length: Math.max(0, end - from) }, (_, step) => show(wanted?.[from + step] ?? from + step))
    },
  }
}
