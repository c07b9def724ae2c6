import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { choiceText, type ListedUser, listUsers, type User } from '@watchdesk/contract/users'
import { Fragment, type ReactNode } from 'react'
import { formatAgo, formatExactMoment } from '../../ui/display/format.ts'
import { Code, Tag, Tags } from '../../ui/display/tag.tsx'
import type { Columns, TableProps } from '../../ui/list/columns.ts'
import type { FabProps } from '../../ui/list/fab.tsx'
import { RowButton, RowLink } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useListSearch } from '../../ui/list/use-list.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { Changing, useCanChange } from '../../ui/page/can-change.tsx'
import { fullName, userQuery } from './queries.ts'
import { useDeleteUser } from './use-delete.tsx'

export const COLUMNS: Columns<ListedUser, typeof listUsers.list> = {
  id: { heading: 'ID', cell: (user) => user.id, width: '4.75rem', isNamedOnCards: true },
  workspace: {
    heading: 'Workspace',
    cell: (user) => (
      <Link to="/workspaces/$id" params={{ id: String(user.workspace_id) }}>
        {user.workspace.name}
      </Link>
    ),
    width: '9.8%',
    card: 'tags',
    isWrapped: true,
  },
  full_name: {
    heading: 'Full Name',
    cell: fullName,
    width: '14.2%',
    card: 'title',
    tone: 'strong',
    isWrapped: true,
  },
  email: { heading: 'Email', cell: email, least: '10.5rem', tone: 'soft', isWrapped: true },
  roles: {
    heading: 'Roles',
    cell: (user) =>
      (user.is_super_admin || user.is_admin || user.is_auditor) && (
        <Tags>
          {user.is_super_admin && <Tag tone="violet">Super admin</Tag>}
          {user.is_admin && <Tag tone="teal">Workspace admin</Tag>}
          {user.is_auditor && <Tag tone="amber">Auditor</Tag>}
        </Tags>
      ),
    // Wide enough for the longer badge; two badges are stacked.
    width: '9rem',
    card: 'tags',
  },
  type: { heading: 'Type', cell: (user) => <Code>{user.type}</Code>, width: '8.5rem', card: 'tags' },
  language: {
    heading: 'Language',
    // Other backends use null.
    cell: ({ language }) => choiceText('language', language ?? '', 'inLists'),
    width: '5.25rem',
    isNamedOnCards: true,
  },
  last_sign_in_at: { heading: 'Last sign-in', cell: lastSignIn, width: '9.5rem', isNamedOnCards: true },
}

function lastSignIn({ last_sign_in_at }: ListedUser) {
  if (!last_sign_in_at) return last_sign_in_at === null ? 'Never' : ''
  return <time title={formatExactMoment(last_sign_in_at)}>{formatAgo(last_sign_in_at)}</time>
}

/** Long emails break after the @ or a dot. */
function email(user: User) {
  return Array.from(user.email.matchAll(/[^@.]+[@.]*|[@.]+/g), ({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

type UsersTableProps = Pick<TableProps<ListedUser>, 'list' | 'shown' | 'selection' | 'bar'> & {
  add: FabProps
  empty?: ReactNode
}

/** The users table of the users list and the workspace view, each with its own list. */
export function UsersTable({ shown, empty, ...props }: UsersTableProps) {
  const prefetch = usePrefetch()
  const remove = useDeleteUser()
  const canChange = useCanChange()
  return (
    <Table
      label="Users"
      {...props}
      columns={COLUMNS}
      shown={shown ?? listUsers.list.columns}
      actions={(user) => (
        <>
          <RowLink
            icon={canChange ? 'pencil' : 'eye'}
            label={`${canChange ? 'Edit' : 'View'} ${fullName(user)}`}
            to="/users/$id/edit"
            params={{ id: String(user.id) }}
            {...prefetch(userQuery(user.id))}
          />
          {canChange && <RowButton icon="trash" label={`Delete ${fullName(user)}`} onClick={() => remove(user)} />}
        </>
      )}
      empty={empty ?? <NoUsers />}
    />
  )
}

function NoUsers() {
  const { isFiltered, clearFilters } = useListSearch(listUsers)
  const backState = useBackState()
  if (isFiltered) {
    return (
      <>
        No users match.
        <Button variant="default" onClick={clearFilters}>
          Show all users
        </Button>
      </>
    )
  }
  return (
    <>
      No users yet.
      <Changing>
        <Button renderRoot={(props) => <Link to="/users/create" state={backState} {...props} />}>Create user</Button>
      </Changing>
    </>
  )
}
