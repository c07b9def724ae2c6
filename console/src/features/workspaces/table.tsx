import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ListedWorkspace, listWorkspaces, type Workspace } from '@watchdesk/contract/workspaces'
import { formatAgo, formatDay, formatExactMoment, formatNumber } from '../../ui/display/format.ts'
import { Tag } from '../../ui/display/tag.tsx'
import type { Column, Columns, TableProps } from '../../ui/list/columns.ts'
import { RowButton, RowLink } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useListSearch } from '../../ui/list/use-list.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { fieldsOf } from './fields.ts'
import { workspaceQuery } from './queries.ts'
import { QuotaCell } from './quota-cell.tsx'
import { isTrialOver } from './shared/trial.ts'
import { Status } from './status.tsx'
import classes from './table.module.css'
import { useDeleteWorkspace } from './use-delete.tsx'

export const COLUMNS: Columns<ListedWorkspace, typeof listWorkspaces.list> = {
  id: { heading: 'ID', cell: (workspace) => workspace.id, width: '4.75rem', isNamedOnCards: true },
  name: {
    heading: 'Name',
    cell: (workspace) => <NameLink workspace={workspace} />,
    card: 'title',
    tone: 'strong',
    isWrapped: true,
  },
  description: { heading: 'Description', cell: (workspace) => fieldsOf(workspace).description, tone: 'soft' },
  status: {
    heading: 'Status',
    cell: (workspace) => <Status {...trialOf(workspace)} />,
    width: '10.25rem',
    card: 'tags',
  },
  roles: {
    heading: 'Roles',
    cell: (workspace) => <Roles roles={fieldsOf(workspace).roles ?? []} />,
    width: '23.5rem',
    card: 'tags',
    isWrapped: true,
  },
  trial_end_date: { heading: 'Trial end', cell: trialEnd, width: '9.5rem', isNamedOnCards: true },
  analytical_quota: {
    heading: 'Analytical quota left',
    cell: (workspace) => <QuotaCell label="Analytical quota" quota={fieldsOf(workspace).analytical_quota} />,
    width: '10.5rem',
    isNamedOnCards: true,
  },
  ai_quota: {
    heading: 'AI quota left',
    cell: (workspace) => <QuotaCell label="AI quota" quota={fieldsOf(workspace).ai_quota} />,
    width: '10.5rem',
    isNamedOnCards: true,
  },
  users_count: { heading: 'Users', cell: usersCount, width: '5.5rem', isNamedOnCards: true },
  last_activity_at: { heading: 'Last activity', cell: lastActivity, width: '8.5rem', isNamedOnCards: true },
}

function usersCount({ users_count }: ListedWorkspace) {
  return users_count === undefined ? '' : formatNumber(users_count)
}

function lastActivity({ last_activity_at }: ListedWorkspace) {
  if (!last_activity_at) return last_activity_at === null ? 'None' : ''
  return <time title={formatExactMoment(last_activity_at)}>{formatAgo(last_activity_at)}</time>
}

function trialOf(workspace: Workspace) {
  const { status, trial_end_date } = fieldsOf(workspace)
  return { status, trial_end_date }
}

function trialEnd(workspace: Workspace) {
  const { status, trial_end_date } = trialOf(workspace)
  if (status !== 'TRIAL' || !trial_end_date) return '–'
  return isTrialOver({ status, trial_end_date }) ? `Ended ${formatDay(trial_end_date)}` : formatDay(trial_end_date)
}

type WorkspacesTableProps = Pick<TableProps<ListedWorkspace>, 'list' | 'shown' | 'selection' | 'bar'> & {
  canEdit: boolean
}

export function WorkspacesTable({ canEdit, ...props }: WorkspacesTableProps) {
  const prefetch = usePrefetch()
  const remove = useDeleteWorkspace()
  const linkTo = ({ id }: Workspace) => ({ params: { id: String(id) }, ...prefetch(workspaceQuery(id)) })
  const view: Column<ListedWorkspace> = {
    heading: 'View',
    cell: (workspace) => (
      <RowLink icon="eye" label={`View ${workspace.name}`} to="/workspaces/$id" {...linkTo(workspace)} />
    ),
    width: '4rem',
    // The name is the same link.
    card: 'none',
  }
  return (
    <Table
      label="Workspaces"
      {...props}
      columns={{ view, ...COLUMNS }}
      shown={['view', ...(props.shown ?? [])]}
      add={canEdit ? { label: 'Create workspace', to: '/workspaces/create' } : undefined}
      actions={
        canEdit
          ? (workspace) => (
              <>
                <RowLink
                  icon="pencil"
                  label={`Edit ${workspace.name}`}
                  to="/workspaces/$id/edit"
                  {...linkTo(workspace)}
                />
                <RowButton icon="trash" label={`Delete ${workspace.name}`} onClick={() => remove(workspace)} />
              </>
            )
          : undefined
      }
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

function Roles({ roles }: { roles: string[] }) {
  return (
    roles.length > 0 && (
      <span className={classes.roles}>
        {roles.map((role) => (
          <Tag key={role}>{role}</Tag>
        ))}
      </span>
    )
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
