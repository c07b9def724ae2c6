import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { workspacesQuery } from '../workspaces/queries.ts'
import { useCreatedUsers } from './created.ts'
import { usersQuery } from './queries.ts'
import { UsersTable, userSort } from './table.tsx'
import { WorkspaceFilter } from './workspace-filter.tsx'

// Most visits see none.
const CreatedPanel = lazy(() => import('./created-panel.tsx').then((module) => ({ default: module.CreatedPanel })))

export function UsersPage() {
  const { created, dismiss } = useCreatedUsers()
  const list = useList(({ page, search, sort, workspace_id }) =>
    usersQuery({ page, search, sort: userSort(sort), workspace_ids: workspace_id ? [workspace_id] : undefined }),
  )
  const { data: workspaces } = useQuery(workspacesQuery({ page: 1, page_size: 1 }))
  const { search } = useListSearch()
  const isFiltered = search.search !== undefined || search.workspace_id !== undefined
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
        <>
          <SearchBox label="Search name or email" />
          <WorkspaceFilter />
        </>
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
