import { useQuery } from '@tanstack/react-query'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { formatCount } from '../../ui/display/format.ts'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { Toolbar } from '../../ui/list/toolbar.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery, seesEverything } from '../auth/queries.ts'
import { ColumnsMenu } from '../saved-views/shared/columns-menu.tsx'
import { ExportMenu } from '../saved-views/shared/export-menu.tsx'
import { useColumns } from '../saved-views/shared/use-columns.ts'
import { ViewsMenu } from '../saved-views/shared/views-menu.tsx'
import { useWorkspaceFilters } from './filters.tsx'
import { downloadWorkspaces, workspacesQuery } from './queries.ts'
import { COLUMNS, WorkspacesTable } from './table.tsx'
import { useWorkspaceSelection } from './use-workspace-selection.tsx'

export function WorkspacesPage() {
  const { data: me } = useQuery(currentUserQuery)
  const maySeeAll = seesEverything(me)
  const { isFiltered } = useListSearch(listWorkspaces)
  const columns = useColumns('workspaces')
  const filters = useWorkspaceFilters()
  const list = useList(listWorkspaces, workspacesQuery, columns)
  const selecting = useWorkspaceSelection(list.total)
  return (
    <Page
      title="Workspaces"
      summary={list.total !== undefined ? `${formatCount(list.total, 'workspace')}${isFiltered ? ' found' : ''}` : ' '}
      filters={<SearchBox label={listWorkspaces.list.search} />}
    >
      <Toolbar
        tools={
          <>
            <ViewsMenu of={columns} />
            <ColumnsMenu of={columns} columns={COLUMNS} />
            <ExportMenu of={columns} endpoint={listWorkspaces} download={downloadWorkspaces} />
          </>
        }
      >
        {/* Workspace admins have one workspace, and other backends have no filters. */}
        {maySeeAll && columns.canKeep && <FilterBar filters={filters} done="Show workspaces" />}
      </Toolbar>
      <WorkspacesTable list={list} shown={columns.shown} canEdit={me?.is_super_admin ?? false} {...selecting} />
    </Page>
  )
}
