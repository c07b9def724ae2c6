import { useQueries } from '@tanstack/react-query'
import { listUsers } from '@watchdesk/contract/users'
import { lazy } from 'react'
import { formatCount, formatDays } from '../../ui/display/format.ts'
import type { ListFilter } from '../../ui/list/filter-bar.tsx'
import { useListSearch } from '../../ui/list/use-list.ts'
import { workspaceQuery } from '../workspaces/queries.ts'
import type { FieldName } from './filter-field.tsx'

const FilterField = lazy(() => import('./filter-field.tsx').then((module) => ({ default: module.FilterField })))

const { role: ROLE, language: LANGUAGE } = listUsers.list.filters
/** More workspaces are counted. */
const NAMED_WORKSPACES = 2

/** The filters in the address, as chips. Workspaces can be chosen by those who have more than one. */
export function useUserFilters({ hasWorkspaces }: { hasWorkspaces: boolean }): ListFilter[] {
  const { role, type, language, workspace_ids, sign_in, signed_in_from, signed_in_to, locked } =
    useListSearch(listUsers).search
  const workspaces = useWorkspacesText(workspace_ids)
  const days = formatDays(signed_in_from, signed_in_to)
  const field = (name: FieldName) => (onDone: () => void, isInSheet: boolean) => (
    <FilterField of={name} onDone={onDone} isInSheet={isInSheet} />
  )
  return [
    { label: 'Role', text: role && ROLE.options[role], cleared: { role: undefined }, field: field('role') },
    { label: 'Type', text: type, cleared: { type: undefined }, field: field('type') },
    {
      label: 'Language',
      text: language && LANGUAGE.options[language],
      cleared: { language: undefined },
      field: field('language'),
    },
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
