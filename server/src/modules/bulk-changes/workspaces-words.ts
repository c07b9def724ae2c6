import type { WorkspacesChange } from '@watchdesk/contract/bulk-changes'
import { number } from './kind.ts'

const FIELDS: Record<string, string> = {
  trial_end_date: 'trial end date',
  extend_trial_days: 'trial end date',
  analytical_quota: 'analytical quota',
  ai_quota: 'AI quota',
  featureflags: 'feature flags',
  powerbi_dashboards: 'dashboards',
}

/** 'Extended the trial of 12 workspaces by 14 days', or 'Extend …' before it is done. */
export function workspaceWords({ action, set = {} }: WorkspacesChange, count: number, isDone: boolean) {
  const workspaces = number(count, 'workspace')
  const verb = (now: string, done: string) => (isDone ? done : now)
  if (action === 'delete') return `${verb('Delete', 'Deleted')} ${workspaces}`
  const { status, extend_trial_days, trial_end_date: _, ...others } = set
  if (extend_trial_days !== undefined && Object.keys(others).length === 0)
    return `${verb('Extend', 'Extended')} the trial of ${workspaces} by ${number(extend_trial_days, 'day')}`
  if (status !== undefined && Object.keys(others).length === 0) {
    return status === null
      ? `${verb('Remove', 'Removed')} the status of ${workspaces}`
      : `Set the status of ${workspaces} to ${status}`
  }
  const fields = new Set(Object.keys(set).map((field) => FIELDS[field] ?? field))
  return `${verb('Change', 'Changed')} the ${new Intl.ListFormat('en').format(fields)} of ${workspaces}`
}
