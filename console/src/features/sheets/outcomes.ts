import type { SourceOutcome } from '@watchdesk/contract/sources'
import type { Tone } from '../../ui/tag.tsx'

/** In the order in which they are offered. */
const TONES: Record<SourceOutcome, Tone> = {
  requested: 'teal',
  'already monitored': 'plain',
  'repeated in the file': 'plain',
  'unsupported platform': 'amber',
  'invalid URL': 'amber',
  'unknown country': 'amber',
}
const KNOWN = Object.keys(TONES)

export function toneOf(outcome: string): Tone {
  return Object.hasOwn(TONES, outcome) ? TONES[outcome as SourceOutcome] : 'plain'
}

/** Those that we know first, in their order, then whatever else a sheet counts. Rows without one cannot be asked for. */
export function inOrder(outcomes: Record<string, number>): [outcome: string, count: number][] {
  const place = (outcome: string) => (KNOWN.includes(outcome) ? KNOWN.indexOf(outcome) : KNOWN.length)
  const named = Object.entries(outcomes).filter(([outcome]) => outcome !== '')
  return named.sort(([a], [b]) => place(a) - place(b))
}
