import type { SourceOutcome } from '@watchdesk/contract/source-row'
import type { UserOutcome } from '@watchdesk/contract/user-row'
import { formatCount } from '../../../ui/display/format.ts'
import type { Tone } from '../../../ui/display/tag.tsx'

/** Outcomes of the other kinds of imports. */
type OtherOutcome =
  | 'changed'
  | 'refused'
  | 'ready'
  | 'cancelled'
  | 'not known'
  | 'updated'
  | 'imported'
  | 'unchanged'
  | 'already there'
  | 'repeated in the sheet'
  | 'URL of another platform'
  | 'invalid'

/** In the order of the filters. An object, so that the compiler reports a missing outcome. */
const TONES: Record<SourceOutcome | UserOutcome | OtherOutcome, Tone> = {
  ready: 'teal',
  requested: 'teal',
  added: 'teal',
  updated: 'teal',
  imported: 'teal',
  changed: 'teal',
  unchanged: 'plain',
  cancelled: 'plain',
  'already there': 'plain',
  'already monitored': 'plain',
  'email already exists': 'plain',
  'repeated in the file': 'plain',
  'repeated in the sheet': 'plain',
  'unsupported platform': 'amber',
  'URL of another platform': 'amber',
  'invalid URL': 'amber',
  'unknown country': 'amber',
  'invalid email': 'amber',
  'not known': 'amber',
  'invalid name': 'amber',
  'invalid value': 'amber',
  'invalid password': 'amber',
  invalid: 'amber',
  refused: 'amber',
}
const KNOWN = Object.keys(TONES)

const PLURALS = new Map<string, string>([
  ['unsupported platform', 'unsupported platforms'],
  ['invalid URL', 'invalid URLs'],
  ['unknown country', 'unknown countries'],
  ['email already exists', 'emails already exist'],
  ['invalid email', 'invalid emails'],
  ['invalid name', 'invalid names'],
  ['invalid value', 'invalid values'],
  ['invalid password', 'invalid passwords'],
] satisfies [SourceOutcome | UserOutcome, string][])

/** '1 invalid URL', '2 invalid URLs', '2 requested'. */
export function outcomeCount(outcome: string, count: number) {
  return formatCount(count, outcome, PLURALS.get(outcome) ?? outcome)
}

/** A sheet may contain outcomes that people wrote themselves. */
export function outcomeTone(outcome: string): Tone {
  return Object.hasOwn(TONES, outcome) ? TONES[outcome as keyof typeof TONES] : 'plain'
}

/** The known outcomes first, then the others of the sheet. Rows without an outcome cannot be filtered. */
export function inOrder(outcomes: Record<string, number>): [outcome: string, count: number][] {
  const position = (outcome: string) => (KNOWN.includes(outcome) ? KNOWN.indexOf(outcome) : KNOWN.length)
  const named = Object.entries(outcomes).filter(([outcome]) => outcome !== '')
  return named.sort(([a], [b]) => position(a) - position(b))
}
