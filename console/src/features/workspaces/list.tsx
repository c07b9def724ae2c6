import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../ui/display/format.ts'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery } from '../session/queries.ts'
import { workspacesQuery } from './queries.ts'
import { WorkspacesTable, workspaceSort } from './table.tsx'

export function WorkspacesPage() {
  const { data: me } = useQuery(currentUserQuery)
  const mayEdit = me?.is_super_admin ?? false
  const { search } = useListSearch()
  const list = useList(({ page, search, sort }) => workspacesQuery({ page, search, sort: workspaceSort(sort) }))
  return (
    <Page
      title="Workspaces"
      summary={
        list.total !== undefined ? `${formatCount(list.total, 'workspace')}${search.search ? ' found' : ''}` : ' '
      }
      filters={<SearchBox label="Search name or description" />}
    >
      <WorkspacesTable list={list} mayEdit={mayEdit} />
    </Page>
  )
}
