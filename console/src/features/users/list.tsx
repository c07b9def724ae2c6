import { useQuery } from '@tanstack/react-query'
import { listUsers } from '@watchdesk/contract/users'
import { lazy, Suspense } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { Toolbar } from '../../ui/list/toolbar.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { ColumnsMenu } from '../saved-views/shared/columns-menu.tsx'
import { ExportMenu } from '../saved-views/shared/export-menu.tsx'
import { useColumns } from '../saved-views/shared/use-columns.ts'
import { ViewsMenu } from '../saved-views/shared/views-menu.tsx'
import { workspacesQuery } from '../workspaces/queries.ts'
import { WorkspaceFilter } from '../workspaces/shared/workspace-filter.tsx'
import { AddManyUsers } from './add-many.tsx'
import { useCreatedUsers } from './created.ts'
import { useUserFilters } from './filters.tsx'
import { downloadUsers, usersQuery } from './queries.ts'
import { COLUMNS, UsersTable } from './table.tsx'
import { useUserSelection } from './use-user-selection.tsx'

// Loaded on demand: most visits do not show it.
const CreatedPanel = lazy(() => import('./created-panel.tsx').then((module) => ({ default: module.CreatedPanel })))

export function UsersPage() {
  const { created, dismiss } = useCreatedUsers()
  const { data: workspaces } = useQuery(workspacesQuery({ page: 1, page_size: 1 }))
  const columns = useColumns('users')
  const filters = useUserFilters({ hasWorkspaces: workspaces !== undefined && workspaces.total > 1 })
  const list = useList(listUsers, usersQuery, columns)
  const selecting = useUserSelection(list.total)
  const {
    search: { workspace_id },
    isFiltered,
  } = useListSearch(listUsers)
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
          <SearchBox label={listUsers.list.search} />
          <WorkspaceFilter />
          <AddManyUsers workspace_id={workspace_id} />
        </>
      }
    >
      {created.length > 0 && (
        <Suspense>
          <CreatedPanel created={created} onDismiss={dismiss} />
        </Suspense>
      )}
      <Toolbar
        tools={
          <>
            <ViewsMenu of={columns} />
            <ColumnsMenu of={columns} columns={COLUMNS} />
            <ExportMenu of={columns} endpoint={listUsers} download={downloadUsers} />
          </>
        }
      >
        {columns.canKeep && <FilterBar filters={filters} done="Show users" />}
      </Toolbar>
      <UsersTable
        list={list}
        shown={columns.shown}
        {...selecting}
        add={{ label: 'Create user', to: '/users/create', search: { workspace_id } }}
      />
    </Page>
  )
}
