import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { User, UserQuery } from '@watchdesk/contract/users'
import type { ReactNode } from 'react'
import type { Columns } from '../../ui/columns.ts'
import { type List, useListSearch } from '../../ui/list.ts'
import { usePrefetch } from '../../ui/prefetch.ts'
import { RowButton, RowLink } from '../../ui/row-action.tsx'
import { Table } from '../../ui/table.tsx'
import { Code, Tag, Tags } from '../../ui/tag.tsx'
import { fullName, userQuery } from './queries.ts'
import { useDeleteUser } from './use-delete.ts'

const COLUMNS: Columns<User> = {
  ID: { cell: (user) => user.id, sort: 'id', width: '4.75rem', card: 'none' },
  Workspace: {
    cell: (user) => (
      <Link to="/workspaces/$id" params={{ id: String(user.workspace_id) }}>
        {user.workspace.name}
      </Link>
    ),
    card: 'tags',
  },
  'Full Name': { cell: fullName, sort: 'full_name', card: 'title', tone: 'strong' },
  Email: { cell: (user) => user.email, sort: 'email', width: '18%', tone: 'soft' },
  Roles: {
    cell: (user) =>
      (user.is_super_admin || user.is_admin) && (
        <Tags>
          {user.is_super_admin && <Tag tone="violet">Super admin</Tag>}
          {user.is_admin && <Tag tone="teal">Workspace admin</Tag>}
        </Tags>
      ),
    // Room for both badges where the screen has it.
    width: 'clamp(9.5rem, 100vw - 74.75rem, 15.25rem)',
    card: 'tags',
  },
  Type: { cell: (user) => <Code>{user.type}</Code>, width: '8.5rem', card: 'tags' },
  Language: { cell: (user) => user.language || 'Auto', width: '5.75rem', card: 'none' },
}

/** The users table of the users list and of the workspace view, each with its own list. */
export function UsersTable({ list, empty }: { list: List<User>; empty?: ReactNode }) {
  const prefetch = usePrefetch()
  const remove = useDeleteUser()
  return (
    <Table
      label="Users"
      list={list}
      columns={COLUMNS}
      actions={(user) => (
        <>
          <RowLink
            icon="pencil"
            label={`Edit ${fullName(user)}`}
            to="/users/$id/edit"
            params={{ id: String(user.id) }}
            {...prefetch(userQuery(user.id))}
          />
          <RowButton icon="trash" label={`Delete ${fullName(user)}`} onClick={() => void remove(user)} />
        </>
      )}
      empty={empty ?? <NoUsers />}
    />
  )
}

function NoUsers() {
  const { search, change } = useListSearch()
  const isNarrowed = search.search !== undefined || search.workspace_id !== undefined
  if (isNarrowed) {
    return (
      <>
        No user matches.
        <Button variant="default" onClick={() => change({ search: undefined, workspace_id: undefined })}>
          Show all users
        </Button>
      </>
    )
  }
  return (
    <>
      Users would be listed here. There is none yet.
      <Button renderRoot={(props) => <Link to="/users/create" {...props} />}>Create user</Button>
    </>
  )
}

/** The sorts that the table's headings offer, as the address has them. */
export function userSort(sort: string | undefined) {
  return sort as UserQuery['sort']
}
