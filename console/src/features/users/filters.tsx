import { useQueries } from '@tanstack/react-query'
import type { Filter } from '@watchdesk/contract/list'
import { listUsers, USER_CHOICE_NAMES } from '@watchdesk/contract/users'
import { lazy } from 'react'
import { formatCount, formatDays } from '../../ui/display/format.ts'
import type { ListFilter } from '../../ui/list/filter-bar.tsx'
import { useListSearch } from '../../ui/list/use-list.ts'
import { workspaceQuery } from '../workspaces/queries.ts'
import type { FieldName } from './filter-field.tsx'

const FilterField = lazy(() => import('./filter-field.tsx').then((module) => ({ default: module.FilterField })))

const FILTERS = listUsers.list.filters
const CHOICES = ['role', ...USER_CHOICE_NAMES] as const
/** More workspaces are counted. */
const NAMED_WORKSPACES = 2

/** The filters in the address, as chips. Workspaces can be chosen by those who have more than one. */
export function useUserFilters({ hasWorkspaces }: { hasWorkspaces: boolean }): ListFilter[] {
  const { search } = useListSearch(listUsers)
  const { workspace_ids, sign_in, signed_in_from, signed_in_to, locked } = search
  const workspaces = useWorkspacesText(workspace_ids)
  const days = formatDays(signed_in_from, signed_in_to)
  const field = (name: FieldName) => (onDone: () => void, isInSheet: boolean) => (
    <FilterField of={name} onDone={onDone} isInSheet={isInSheet} />
  )
  return [
    ...CHOICES.map((name) => {
      const { label, options }: Filter = FILTERS[name]
      return { label, text: search[name] && options[search[name]], cleared: { [name]: undefined }, field: field(name) }
    }),
    {
      label: 'Workspaces',
      text: workspaces,
      cleared: { workspace_ids: undefined },
      ...(hasWorkspaces && { field: field('workspaces') }),
    },
    {
      label: 'Last sign-in',
      text: [sign_in, days].filter(Boolean).join(', and ') || undefined,
      cleared: { sign_in: undefined, signed_in_from: undefined, signed_in_to: undefined },
      field: field('sign_in'),
    },
    {
      label: 'Locked',
      text: locked,
      cleared: { locked: undefined },
      only: { label: 'Locked', params: { locked: 'yes' } },
    },
  ]
}

function useWorkspacesText(given: string | undefined) {
  const ids = given?.split(',').map(Number) ?? []
  const isNamed = ids.length <= NAMED_WORKSPACES
  const queries = useQueries({ queries: isNamed ? ids.map((id) => workspaceQuery(id)) : [] })
  if (given === undefined) return
  return isNamed
    ? ids.map((id, index) => queries[index]?.data?.name ?? String(id)).join(', ')
    : formatCount(ids.length, 'workspace')
}
