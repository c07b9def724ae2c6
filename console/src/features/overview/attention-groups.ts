import {
  type AttentionName,
  FAILED_DAYS,
  type FilteredList,
  LOW_PERCENT,
  listOf,
  type Overview,
  type OverviewRow,
} from '@watchdesk/contract/overview'
import { formatDay } from '../../ui/display/format.ts'
import { type LinkTarget, linkTo } from '../../ui/navigation/back-link.ts'
import { withColumns } from '../saved-views/shared/with-columns.ts'

export type Group = {
  key: keyof Overview['first']
  title: string
  /** Each number and what it counts. */
  counts: Partial<Record<AttentionName, (count: number) => string>>
  /** What it says if all numbers are 0. */
  calm: string
  /** The page of a record. */
  page?: (id: number) => string
  detail: (row: OverviewRow, today: string) => string | undefined
}

const workspace = (id: number) => `/workspaces/${id}`
const left = ({ left }: OverviewRow) => (left === null ? undefined : left <= 0 ? 'Used up' : `${left}% left`)
const detail = (row: OverviewRow) => row.detail ?? undefined

export const GROUPS: Group[] = [
  {
    key: 'trials',
    title: 'Trials',
    counts: {
      trials_ended: () => 'ended',
      trials_within_7: (count) => `${ends(count)} within 7 days`,
      trials_within_30: (count) => `${ends(count)} within 30 days`,
    },
    calm: 'No trial has ended or ends within 30 days',
    page: workspace,
    detail: ({ day }, today) => (day === null ? undefined : `${day < today ? 'Ended' : 'Ends'} ${formatDay(day)}`),
  },
  {
    key: 'analytical',
    title: 'Analytical quotas',
    counts: { analytical_used_up: () => 'used up', analytical_low: () => `under ${LOW_PERCENT}%, with those used up` },
    calm: 'No analytical quota is low',
    page: workspace,
    detail: left,
  },
  {
    key: 'ai',
    title: 'AI quotas',
    counts: { ai_used_up: () => 'used up', ai_low: () => `under ${LOW_PERCENT}%, with those used up` },
    calm: 'No AI quota is low',
    page: workspace,
    detail: left,
  },
  {
    key: 'renewals',
    title: 'Quota renewals',
    counts: { renewals_overdue: (count) => `${count === 1 ? 'workspace' : 'workspaces'} overdue` },
    calm: 'No quota renewal is overdue',
    page: workspace,
    detail: ({ day }) => (day === null ? undefined : `Due ${formatDay(day)}`),
  },
  {
    key: 'without_admin',
    title: 'Admins',
    counts: { without_admin: (count) => `${count === 1 ? 'workspace' : 'workspaces'} without an admin` },
    calm: 'Every workspace in use has an admin',
    page: workspace,
    detail: () => undefined,
  },
  {
    key: 'imports',
    title: 'Failed imports',
    counts: { imports_failed: () => `failed in the last ${FAILED_DAYS} days` },
    calm: `No import failed in the last ${FAILED_DAYS} days`,
    page: (id) => `/imports/${id}`,
    detail,
  },
  {
    key: 'runs',
    title: 'Failed vectorization runs',
    counts: { runs_failed: () => `failed in the last ${FAILED_DAYS} days` },
    calm: `No vectorization run failed in the last ${FAILED_DAYS} days`,
    detail,
  },
  {
    key: 'users',
    title: 'Accounts',
    counts: { users_locked: () => 'locked after failed sign-ins' },
    calm: 'No account is locked',
    page: (id) => `/users/${id}/edit`,
    detail,
  },
]

function ends(count: number) {
  return count === 1 ? 'ends' : 'end'
}

const PAGES: Record<FilteredList['list'], string> = {
  workspaces: '/workspaces',
  users: '/users',
  imports: '/imports',
  runs: '/narratives_vectorization',
}

/** The columns that show what a list of workspaces is filtered by. */
function columnsOf(name: AttentionName) {
  if (name.startsWith('trials')) return ['trial_end_date', 'users_count', 'last_activity_at']
  if (name.startsWith('analytical')) return ['analytical_quota']
  if (name.startsWith('ai')) return ['ai_quota']
  return name === 'renewals_overdue' ? ['analytical_quota', 'ai_quota'] : ['users_count']
}

/** The list that a number counts. Several values are separated by commas in the address. */
export function linkOf(name: AttentionName, today: string): LinkTarget {
  const { list, filter } = listOf(name, today)
  const search = Object.entries(filter).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value])
  const columns = list === 'workspaces' ? withColumns(list, ...columnsOf(name)) : {}
  return linkTo({ to: PAGES[list], search: { ...Object.fromEntries(search), ...columns } })
}
