import { IMPORTABLE_PLATFORMS } from '@watchdesk/contract/limits'
import type { FoundAddress } from '@watchdesk/contract/sources'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import type { Tone } from '../../../ui/display/tag.tsx'

export type Outcome = FoundAddress['outcome']

/** In the order of the filters. */
export const OUTCOMES: Record<Outcome, { label: string; tone: Tone }> = {
  monitored: { label: 'Monitored', tone: 'teal' },
  'not monitored': { label: 'Not monitored', tone: 'violet' },
  removed: { label: 'In the bin', tone: 'amber' },
  repeated: { label: 'Repeated', tone: 'plain' },
  'unsupported platform': { label: 'Unsupported', tone: 'amber' },
  'invalid URL': { label: 'Invalid', tone: 'red' },
}

export function outcomeOf(given: string | undefined): Outcome | undefined {
  return given !== undefined && Object.hasOwn(OUTCOMES, given) ? (given as Outcome) : undefined
}

export function countsOf(found: FoundAddress[]): { each: Outcome; count: number }[] {
  return Object.keys(OUTCOMES).map((name) => {
    const each = name as Outcome
    return { each, count: found.filter(({ outcome }) => outcome === each).length }
  })
}

/** '120 addresses: 100 monitored, 20 not monitored'. */
export function summaryOf(found: FoundAddress[]) {
  const parts = countsOf(found).flatMap(({ each, count }) =>
    count === 0 ? [] : `${formatNumber(count)} ${OUTCOMES[each].label.toLowerCase()}`,
  )
  return `${formatCount(found.length, 'address', 'addresses')}: ${parts.join(', ')}`
}

type Missing = NonNullable<FoundAddress['source']>

/** The addresses that are not monitored: those that can be imported, and those of other platforms. */
export function missingIn(found: FoundAddress[]): { importable: Missing[]; others: Missing[] } {
  const missing = found.flatMap(({ outcome, source }) => (outcome === 'not monitored' && source ? [source] : []))
  const isImportable = ({ platform }: Missing) => IMPORTABLE_PLATFORMS.includes(platform)
  return { importable: missing.filter(isImportable), others: missing.filter((source) => !isImportable(source)) }
}
