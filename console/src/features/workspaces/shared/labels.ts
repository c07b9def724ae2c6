import { settingsOf } from '@watchdesk/contract/workspace-settings'
import { formatDay, formatNumber } from '../../../ui/display/format.ts'
import { labelFromName, type NameOf, plainValue } from '../../../ui/display/plain-value.ts'
import { formatThreshold } from '../fields.ts'
import { LABELS } from '../labels.ts'

const ALL_LABELS: Record<string, string> = { ...LABELS, analytical_quota: 'Analytical quota', ai_quota: 'AI quota' }
const THRESHOLDS: string[] = settingsOf('threshold')

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
