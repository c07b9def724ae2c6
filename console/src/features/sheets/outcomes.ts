import type { SourceOutcome } from '@watchdesk/contract/sources'

// Keys, so that the compiler misses none.
const ORDER: Record<SourceOutcome, number> = {
  requested: 1,
  'already monitored': 2,
  'repeated in the file': 3,
  'unsupported platform': 4,
  'invalid URL': 5,
  'unknown country': 6,
}

/** Those that we know first, in their order, then whatever else a sheet counts. Rows without one cannot be asked for. */
export function inOrder(outcomes: Record<string, number>): [outcome: string, count: number][] {
  const place = (outcome: string) => (Object.hasOwn(ORDER, outcome) ? ORDER[outcome as SourceOutcome] : 7)
  const named = Object.entries(outcomes).filter(([outcome]) => outcome !== '')
  return named.sort(([a], [b]) => place(a) - place(b))
}
