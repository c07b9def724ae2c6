import { useQuery } from '@tanstack/react-query'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { formatCount } from '../../ui/display/format.ts'
import { Filters } from '../../ui/list/filters.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery } from '../session/queries.ts'
import { workspacesQuery } from './queries.ts'
import { WorkspacesTable } from './table.tsx'

export function WorkspacesPage() {
  const { data: me } = useQuery(currentUserQuery)
  const canEdit = me?.is_super_admin ?? false
  const { isFiltered } = useListSearch(listWorkspaces)
  const list = useList(listWorkspaces, workspacesQuery)
  return (
    <Page
      title="Workspaces"
      summary={list.total !== undefined ? `${formatCount(list.total, 'workspace')}${isFiltered ? ' found' : ''}` : ' '}
      filters={<Filters of={listWorkspaces} />}
    >
      <WorkspacesTable list={list} canEdit={canEdit} />
    </Page>
  )
}
