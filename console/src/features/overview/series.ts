import type { DailyTotals } from '@watchdesk/contract/overview'
import { formatDay, formatNumber } from '../../ui/display/format.ts'
import type { LinkTarget } from '../../ui/navigation/back-link.ts'
import type { Point } from './chart.tsx'

/** A chart, with the number of today and where its records are listed. */
export type Series = {
  label: string
  kind: 'line' | 'bars'
  number: string
  /** What the number counts, in words. */
  unit: string
  /** How it changed. */
  note: string
  /** Why days have no value. */
  hint?: string | undefined
  link: LinkTarget
  /** The text of the link, if it does not lead to what the number counts. */
  linkLabel?: string
  points: Point[]
  grid?: number[]
  format: (value: number) => string
}

const LABELS = { users: 'Users', sources: 'Sources', stories: 'Stories' }

export function totalChart(days: DailyTotals[], field: keyof typeof LABELS, link: LinkTarget): Series {
  const points = days.map((totals) => ({ day: totals.day, value: totals[field] }))
  const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0]
  return {
    label: LABELS[field],
    kind: 'line',
    number: formatNumber(last),
    unit: field,
    note: changeOf(last - first, days),
    link,
    points,
    format: formatNumber,
  }
}

function changeOf(change: number, days: DailyTotals[]) {
  const since = days[0] ? ` since ${formatDay(days[0].day)}` : ''
  if (change === 0) return `No change${since}`
  return `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}${since}`
}

export function importsChart(days: DailyTotals[], link: LinkTarget): Series {
  const points = days.map(({ day, imports }) => ({ day, value: imports }))
  const sum = points.reduce((total, { value }) => total + value, 0)
  return {
    label: 'Imports',
    kind: 'bars',
    number: formatNumber(sum),
    unit: 'imports and bulk changes',
    note: days[0] ? `Since ${formatDay(days[0].day)}, by day` : '',
    link,
    points,
    format: formatNumber,
  }
}

const QUOTAS = { analytical_quota: 'Analytical quota', ai_quota: 'AI quota' }
const PERCENT = [0, 50, 100]

/** The used share of all limits together. */
export function quotaChart(days: DailyTotals[], field: keyof typeof QUOTAS, link: LinkTarget): Series {
  const points = days.flatMap(({ day, [field]: use }) => (use ? [{ day, value: percentOf(use) }] : []))
  const use = days.at(-1)?.[field]
  return {
    label: QUOTAS[field],
    kind: 'line',
    number: formatPercent(points.at(-1)?.value ?? 0),
    unit: 'used',
    note: use ? `${formatNumber(use.used)} of ${formatNumber(use.limit)}` : '',
    hint: days.length > points.length && points[0] ? `Counted since ${formatDay(points[0].day)}` : undefined,
    link,
    points,
    grid: PERCENT,
    format: formatPercent,
  }
}

function percentOf({ used, limit }: { used: number; limit: number }) {
  return limit === 0 ? 0 : Math.round((1000 * used) / limit) / 10
}

function formatPercent(value: number) {
  return `${formatNumber(value)}%`
}
