import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { listUsers } from '@watchdesk/contract/users'
import { formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { linkTo, useBackState } from '../../ui/navigation/back-link.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LastChanged } from '../activity/shared/last-changed.tsx'
import { currentUserQuery } from '../auth/queries.ts'
import { usersQuery } from '../users/queries.ts'
import { UsersTable } from '../users/table.tsx'
import { useWorkspacesList } from './back-links.ts'
import { choicesQuery, workspaceQuery } from './queries.ts'
import classes from './view.module.css'
import { WorkspaceDetails } from './view-details.tsx'

export function WorkspacePage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id' })
  return <ViewWorkspace key={id} id={Number(id)} />
}

function ViewWorkspace({ id }: { id: number }) {
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(id))
  const { data: me } = useQuery(currentUserQuery)
  const list = useWorkspacesList()
  return (
    <Page
      title={workspace?.name ?? 'Workspace'}
      above={<Link {...linkTo(list)}>Workspaces</Link>}
      changed={<LastChanged of={{ entity: 'workspace', entity_id: id }} />}
      filters={me?.is_super_admin && workspace && <EditLink id={id} />}
    >
      {error && !workspace ? (
        <Failed error={error} retry={() => void refetch()} back={{ label: 'Back to workspaces', link: linkTo(list) }} />
      ) : (
        <>
          <WorkspaceDetails workspace={workspace} />
          <WorkspaceUsers id={id} />
        </>
      )}
    </Page>
  )
}

function EditLink({ id }: { id: number }) {
  const backState = useBackState()
  const prefetch = usePrefetch()
  return (
    <Button
      variant="default"
      className={classes.edit}
      leftSection={<Icon name="pencil" />}
      {...prefetch(choicesQuery)}
      renderRoot={(props) => (
        <Link to="/workspaces/$id/edit" params={{ id: String(id) }} state={backState} {...props} />
      )}
    >
      Edit
    </Button>
  )
}

function WorkspaceUsers({ id }: { id: number }) {
  const list = useList(listUsers, (query) => usersQuery({ ...query, workspace_ids: [id] }))
  return (
    <section aria-labelledby="users">
      <div className={classes.users}>
        <div>
          <h2 id="users" className={classes.heading}>
            Users
          </h2>
          <p className={classes.count}>{list.total === undefined ? ' ' : formatCount(list.total, 'user')}</p>
        </div>
        <SearchBox label={listUsers.list.search} className={classes.search} />
      </div>
      <UsersTable
        list={list}
        add={{ label: 'Create user', to: '/users/create', search: { workspace_id: id } }}
        empty={<NoUsers id={id} />}
      />
    </section>
  )
}

function NoUsers({ id }: { id: number }) {
  const { isFiltered, clearFilters } = useListSearch(listUsers)
  const backState = useBackState()
  if (isFiltered) {
    return (
      <>
        No users in this workspace match.
        <Button variant="default" onClick={clearFilters}>
          Show all users of this workspace
        </Button>
      </>
    )
  }
  return (
    <>
      No users in this workspace yet.
      <Changing>
        <Button
          renderRoot={(props) => <Link to="/users/create" search={{ workspace_id: id }} state={backState} {...props} />}
        >
          Create user
        </Button>
      </Changing>
    </>
  )
}
