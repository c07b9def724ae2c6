import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { lazy } from 'react'
import { formatDays } from '../../ui/display/format.ts'
import type { ListFilter } from '../../ui/list/filter-bar.tsx'
import { useListSearch } from '../../ui/list/use-list.ts'
import type { FieldName } from './filter-field.tsx'

const FilterField = lazy(() => import('./filter-field.tsx').then((module) => ({ default: module.FilterField })))

const { status: STATUS } = listWorkspaces.list.filters

const TRIAL_TEXTS = { ended: 'ended', within_7: 'ends within 7 days', within_30: 'ends within 30 days' }

/** The filters in the address, as chips. */
export function useWorkspaceFilters(): ListFilter[] {
  const { search } = useListSearch(listWorkspaces)
  const { status, trial, trial_from, trial_to, analytical_under, ai_under, renewal, role, featureflag, admin } = search
  const days = formatDays(trial_from, trial_to)
  const trials = [trial && TRIAL_TEXTS[trial], days && `ends ${days}`].filter(Boolean)
  const field = (name: FieldName) => (onDone: () => void, isInSheet: boolean) => (
    <FilterField of={name} onDone={onDone} isInSheet={isInSheet} />
  )
  return [
    {
      label: 'Status',
      text: status && statusText(status),
      cleared: { status: undefined },
      field: field('status'),
    },
    {
      label: 'Trial',
      text: trials.join(', and ') || undefined,
      cleared: { trial: undefined, trial_from: undefined, trial_to: undefined },
      field: field('trial'),
    },
    {
      label: 'Analytical quota',
      text: leftText(analytical_under),
      cleared: { analytical_under: undefined },
      field: field('analytical_under'),
    },
    { label: 'AI quota', text: leftText(ai_under), cleared: { ai_under: undefined }, field: field('ai_under') },
    {
      label: 'Quota renewal',
      text: renewal,
      cleared: { renewal: undefined },
      only: { label: 'Quota renewal overdue', params: { renewal: 'overdue' } },
    },
    { label: 'Role', text: role, cleared: { role: undefined }, field: field('role') },
    { label: 'Feature flag', text: featureflag, cleared: { featureflag: undefined }, field: field('featureflag') },
    {
      label: 'Admins',
      text: admin,
      cleared: { admin: undefined },
      only: { label: 'Has no admin', params: { admin: 'none' } },
    },
  ]
}

function statusText(given: string) {
  const labels: Record<string, string> = STATUS.options
  return given
    .split(',')
    .map((name) => labels[name] ?? name)
    .join(', ')
}

function leftText(under: number | undefined) {
  return under === undefined ? undefined : under === 0 ? 'used up' : `less than ${under}% left`
}
