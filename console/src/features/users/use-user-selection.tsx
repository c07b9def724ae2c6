import { listUsers, type User } from '@watchdesk/contract/users'
import { lazy, Suspense } from 'react'
import { listFilter } from '../../ui/list/list-search.ts'
import { useAllSelection } from '../../ui/list/use-all-selection.ts'
import { useListSearch } from '../../ui/list/use-list.ts'
import { useCanChangeMany } from '../operations/shared/use-can-change-many.ts'
import { fullName } from './queries.ts'

// Most visits select nothing.
const UsersBar = lazy(() => import('./bulk-operations.tsx').then((module) => ({ default: module.UsersBar })))

/** The boxes and the bar of the users table, for those who may change many users at once. */
export function useUserSelection(total: number | undefined) {
  const canSelect = useCanChangeMany()
  const { search } = useListSearch(listUsers)
  const filter = listFilter(listUsers.list, search)
  const selection = useAllSelection<User>({ name: fullName, filter, total: total ?? 0 })
  if (!canSelect) return
  const bar = (
    <Suspense>
      <UsersBar selection={selection} total={total} filter={filter} />
    </Suspense>
  )
  return { selection, bar }
}
