import type { WorkName } from './contender.ts'
import type { Results } from './results.ts'
import type { Spread } from './rounds.ts'

export type Verdict = { work: string; measured: string; target: string; verdict: 'met' | 'not met' | 'missing' }

export const OF_BASELINE = { 'list page 1': 0.8, 'read one': 0.65, 'edit one': 0.75, 'create one': 0.65 }
/** They run without sign-in and without audit events. */
const OF_PEERS = { 'read one': 2, 'edit one': 1.2, 'create one': 1 }
const OF_DIRECTUS = 10
const OF_COPY = 1.6
const OF_IDLE = 5
const MIDDLE_MS = 40
const LAST_OF_FIRST = 2
const SEARCH_OF_FIRST = 50
const OF_P99 = 1.5

/** Every target with what was measured. */
export function verdicts(results: Results): Verdict[] {
  return [
    ...against(results, 'Baseline', OF_BASELINE),
    ...against(results, 'AdminJS', OF_PEERS),
    ...against(results, 'NestJS + TypeORM', OF_PEERS),
    ...againstDirectus(results),
    ofSources(results),
    ofDownloads(results),
    ...ofSourceList(results),
    ...ofMiddlePages(results),
    ...ofP99(results),
  ]
}

function against({ accounts }: Results, other: string, targets: Partial<Record<WorkName, number>>) {
  return Object.entries(targets).map(([name, target]) =>
    atLeast(
      `${name}: requests per second, of those of ${other === 'Baseline' ? 'the baseline' : other}`,
      target,
      accounts?.ratios[name as WorkName]?.[other],
    ),
  )
}

function againstDirectus({ accounts }: Results) {
  const all = Object.entries(accounts?.ratios ?? {}).filter(([, others]) => others.Directus)
  if (all.length === 0) return [atLeast('anything: requests per second, of those of Directus', OF_DIRECTUS, undefined)]
  return all.map(([name, { Directus }]) =>
    atLeast(`${name}: requests per second, of those of Directus`, OF_DIRECTUS, Directus),
  )
}

function ofSources({ sources }: Results) {
  const ratio = sources?.['import of 100,000 sources']?.ratio
  return atMost('100,000 sources: time, of a COPY into the same tables', OF_COPY, ratio)
}

function ofDownloads({ downloads }: Results) {
  return atMost('20 large downloads at once: time of a page of users, of that without', OF_IDLE, downloads?.ratio)
}

/** The targets of the users list. */
function ofSourceList({ sourceList }: Results): Verdict[] {
  const works = sourceList?.works
  return [
    atLeast(
      'sources, page 1: requests per second, of those of the baseline',
      OF_BASELINE['list page 1'],
      works?.['page 1']?.ofBaseline,
    ),
    atMost('sources, last page: time, of page 1', LAST_OF_FIRST, works?.['last page']?.ofFirst),
    ofMiddle('sources', works?.['middle page']?.ms),
    atMost(
      'sources, search for a part of an address: time, of page 1',
      SEARCH_OF_FIRST,
      works?.['search, part of an address']?.ofFirst,
    ),
  ]
}

function ofMiddlePages({ accounts }: Results): Verdict[] {
  return Object.entries(accounts?.latency.pages ?? {}).map(([name, { middle }]) => ofMiddle(name, middle))
}

function ofMiddle(name: string, ms: number | undefined): Verdict {
  const [work, target] = [`${name}, middle page`, `<= ${MIDDLE_MS} ms`]
  if (ms === undefined) return { work, measured: '', target, verdict: 'missing' }
  return { work, measured: `${ms} ms`, target, verdict: ms <= MIDDLE_MS ? 'met' : 'not met' }
}

function ofP99({ accounts }: Results) {
  return Object.entries(accounts?.p99 ?? {}).map(([name, { ratio }]) =>
    atMost(`${name}: p99 with 50 connections, of the baseline's`, OF_P99, ratio),
  )
}

function atLeast(work: string, target: number, measured: Spread | undefined): Verdict {
  return verdict(work, `>= ${target}`, measured, (value) => value >= target)
}

function atMost(work: string, target: number, measured: Spread | undefined): Verdict {
  return verdict(work, `<= ${target}`, measured, (value) => value <= target)
}

function verdict(
  work: string,
  target: string,
  measured: Spread | undefined,
  isMet: (value: number) => boolean,
): Verdict {
  if (!measured) return { work, measured: '', target, verdict: 'missing' }
  return { work, measured: withSpread(measured), target, verdict: isMet(measured.median) ? 'met' : 'not met' }
}

export function withSpread({ median, lowest, highest }: Spread) {
  return lowest === highest ? String(median) : `${median} (${lowest}–${highest})`
}
