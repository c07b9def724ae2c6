import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { listWorkspaces, type Workspace } from '@watchdesk/contract/workspaces'
import { Tag } from '../../ui/display/tag.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { RowButton, RowLink } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { type List, useListSearch } from '../../ui/list/use-list.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { fieldsOf } from './fields.ts'
import { workspaceQuery } from './queries.ts'
import { Status } from './status.tsx'
import classes from './table.module.css'
import { useDeleteWorkspace } from './use-delete.tsx'

const COLUMNS: Columns<Workspace, typeof listWorkspaces.list> = {
  id: { heading: 'ID', cell: (workspace) => workspace.id, width: '4.75rem', isNamedOnCards: true },
  name: {
    heading: 'Name',
    cell: (workspace) => <NameLink workspace={workspace} />,
    card: 'title',
    tone: 'strong',
  },
  description: { heading: 'Description', cell: (workspace) => fieldsOf(workspace).description, tone: 'soft' },
  status: {
    heading: 'Status',
    cell: (workspace) => <Status status={fieldsOf(workspace).status} />,
    width: '10.25rem',
    card: 'tags',
  },
  roles: {
    heading: 'Roles',
    cell: (workspace) => <Roles roles={fieldsOf(workspace).roles ?? []} />,
    width: '23.5rem',
    card: 'tags',
  },
}

type WorkspacesTableProps = { list: List<Workspace>; canEdit: boolean }

export function WorkspacesTable({ list, canEdit }: WorkspacesTableProps) {
  const prefetch = usePrefetch()
  const remove = useDeleteWorkspace()
  return (
    <Table
      label="Workspaces"
      list={list}
      columns={COLUMNS}
      add={canEdit ? { label: 'Create workspace', to: '/workspaces/create' } : undefined}
      actionsWidth="7.75rem"
      actions={(workspace) => {
        const to = { params: { id: String(workspace.id) }, ...prefetch(workspaceQuery(workspace.id)) }
        return (
          <>
            <RowLink icon="eye" label={`View ${workspace.name}`} to="/workspaces/$id" {...to} />
            {canEdit && (
              <>
                <RowLink icon="pencil" label={`Edit ${workspace.name}`} to="/workspaces/$id/edit" {...to} />
                <RowButton icon="trash" label={`Delete ${workspace.name}`} onClick={() => void remove(workspace)} />
              </>
            )}
          </>
        )
      }}
      empty={<NoWorkspaces canEdit={canEdit} />}
    />
  )
}

function NameLink({ workspace: { id, name } }: { workspace: Workspace }) {
  const backState = useBackState()
  return (
    <Link to="/workspaces/$id" params={{ id: String(id) }} state={backState}>
      {name}
    </Link>
  )
}

/** About as many characters as fit on one line of the column, including the padding of each badge. */
const MAX_CHARACTERS = 54
const BADGE_ROOM = 4

/** The roles that fit on one line; the others are counted, and listed in a tooltip. */
function Roles({ roles }: { roles: string[] }) {
  let used = 0
  const fitting = roles.filter((role) => {
    used += role.length + BADGE_ROOM
    return used <= MAX_CHARACTERS
  })
  const rest = roles.slice(fitting.length)
  if (roles.length === 0) return null
  return (
    <span className={classes.roles}>
      {fitting.map((role) => (
        <Tag key={role}>{role}</Tag>
      ))}
      {rest.length > 0 && (
        <span className={classes.rest} title={rest.join(', ')}>
          +{rest.length}
          <span className="visually-hidden"> {rest.join(', ')}</span>
        </span>
      )}
    </span>
  )
}

function NoWorkspaces({ canEdit }: { canEdit: boolean }) {
  const { isFiltered, clearFilters } = useListSearch(listWorkspaces)
  const backState = useBackState()
  if (isFiltered) {
    return (
      <>
        No workspaces match.
        <Button variant="default" onClick={clearFilters}>
          Show all workspaces
        </Button>
      </>
    )
  }
  return (
    <>
      No workspaces yet.
      {canEdit && (
        <Button renderRoot={(props) => <Link to="/workspaces/create" state={backState} {...props} />}>
          Create workspace
        </Button>
      )}
    </>
  )
}
