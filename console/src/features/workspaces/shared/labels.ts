import { settingsOf } from '@watchdesk/contract/workspace-settings'
import { formatCount, formatDay, formatNumber } from '../../../ui/display/format.ts'
import { type BulkSentence, labelFromName, type NameOf, plainValue } from '../../../ui/display/plain-value.ts'
import { formatThreshold } from '../fields.ts'
import { LABELS } from '../labels.ts'

const ALL_LABELS: Record<string, string> = {
  ...LABELS,
  analytical_quota: 'Analytical quota',
  ai_quota: 'AI quota',
  extend_trial_days: 'Days added to the trial',
  'analytical_quota.top_up': 'Analytical quota top-up',
  'analytical_quota.fill': 'Analytical quota filled up to its limit',
  'ai_quota.top_up': 'AI quota top-up',
  'ai_quota.fill': 'AI quota filled up to its limit',
  'roles.add': 'Roles added',
  'roles.remove': 'Roles removed',
  'featureflags.add': 'Feature flags added',
  'featureflags.remove': 'Feature flags removed',
  'powerbi_dashboards.add': 'PowerBI dashboards added',
  'powerbi_dashboards.remove': 'PowerBI dashboards removed',
}
const THRESHOLDS: string[] = settingsOf('threshold')

/** What was set of many workspaces, before and after their number. */
export function bulkSentence(path: string, value: string): BulkSentence | undefined {
  if (path === 'extend_trial_days') return ['extended the trial of ', ` by ${formatCount(Number(value), 'day')}`]
  return undefined
}

/** The label of a field of a workspace, by its path: 'ai_quota' and 'ai_quota.limit'. */
export function labelOf(path: string) {
  return ALL_LABELS[path] ?? labelFromName(path)
}

/**
 * A value of a field as text. `nameOf` finds the label of a model, and the name of a dashboard: it is called with each
 * id of the list.
 */
export function showValue(path: string, value: unknown, nameOf?: NameOf): string {
  if (path === 'stories_vectors_model') return (value ? nameOf?.(path, value) : undefined) ?? plainValue(value)
  if (path === 'powerbi_dashboards' && Array.isArray(value))
    return plainValue(value.map((id) => nameOf?.(path, id) ?? `Dashboard ${id}`))
  if (typeof value === 'string' && path.endsWith('_date')) return value === '' ? plainValue(value) : formatDay(value)
  if (typeof value === 'number') return THRESHOLDS.includes(path) ? formatThreshold(value) : formatNumber(value)
  if (path.endsWith('_quota')) return quotaText(path, value)
  return plainValue(value)
}

/** All fields of a quota: 'Balance 5, Limit 10, Next renewal date Dec 1, 2026'. */
function quotaText(path: string, quota: unknown) {
  const fields = Object.entries(LABELS).filter(([field]) => field.startsWith(`${path}.`))
  const texts = fields.map(([field, label]) => {
    const name = label.replace(`${labelOf(path)} `, '')
    return `${name} ${showValue(field, Object(quota)[field.slice(path.length + 1)])}`
  })
  return quota ? texts.join(', ') : plainValue(quota)
}
