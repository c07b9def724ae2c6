import { useQuery } from '@tanstack/react-query'
import { listUsers } from '@watchdesk/contract/users'
import { lazy, Suspense } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { Filters } from '../../ui/list/filters.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { workspacesQuery } from '../workspaces/queries.ts'
import { WorkspaceFilter } from '../workspaces/shared/workspace-filter.tsx'
import { useCreatedUsers } from './created.ts'
import { usersQuery } from './queries.ts'
import { UsersTable } from './table.tsx'

// Loaded on demand: most visits do not show it.
const CreatedPanel = lazy(() => import('./created-panel.tsx').then((module) => ({ default: module.CreatedPanel })))

export function UsersPage() {
  const { created, dismiss } = useCreatedUsers()
  const list = useList(listUsers, usersQuery)
  const { data: workspaces } = useQuery(workspacesQuery({ page: 1, page_size: 1 }))
  const { search, isFiltered } = useListSearch(listUsers)
  const summary =
    list.total !== undefined &&
    (isFiltered
      ? `${formatCount(list.total, 'user')} found`
      : workspaces && `${formatCount(list.total, 'user')} in ${formatCount(workspaces.total, 'workspace')}`)

  return (
    <Page
      title="Users"
      summary={summary || ' '}
      filters={
        <Filters of={listUsers}>
          <WorkspaceFilter />
        </Filters>
      }
    >
      {created.length > 0 && (
        <Suspense>
          <CreatedPanel created={created} onDismiss={dismiss} />
        </Suspense>
      )}
      <UsersTable
        list={list}
        add={{ label: 'Create user', to: '/users/create', search: { workspace_id: search.workspace_id } }}
      />
    </Page>
  )
}
