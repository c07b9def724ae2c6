import { listWorkspaces, type Workspace } from '@watchdesk/contract/workspaces'
import { lazy, Suspense } from 'react'
import { listFilter } from '../../ui/list/list-search.ts'
import { useAllSelection } from '../../ui/list/use-all-selection.ts'
import { useListSearch } from '../../ui/list/use-list.ts'
import { useCanChangeMany } from '../operations/shared/use-can-change-many.ts'

// Most visits select nothing.
const WorkspacesBar = lazy(() => import('./bulk-operations.tsx').then((module) => ({ default: module.WorkspacesBar })))

/** The boxes and the bar of the workspaces table, for those who may change many workspaces at once. */
export function useWorkspaceSelection(total: number | undefined) {
  const canSelect = useCanChangeMany()
  const { search } = useListSearch(listWorkspaces)
  const filter = listFilter(listWorkspaces.list, search)
  const selection = useAllSelection<Workspace>({ name: ({ name }) => name, filter, total: total ?? 0 })
  if (!canSelect) return
  const bar = (
    <Suspense>
      <WorkspacesBar selection={selection} total={total} filter={filter} />
    </Suspense>
  )
  return { selection, bar }
}
