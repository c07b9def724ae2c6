import { Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { type Dashboard, type DashboardWorkspace, listDashboardWorkspaces } from '@watchdesk/contract/dashboards'
import { useEffect, useRef } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { RowButton } from '../../ui/list/row-action.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { dashboardWorkspacesQuery } from './queries.ts'
import { useAttachments } from './use-attachments.ts'
import classes from './workspaces.module.css'

/** The part of the page that the list links to. */
const HASH = 'workspaces'

const COLUMNS: Columns<DashboardWorkspace, typeof listDashboardWorkspaces.list> = {
  id: { heading: 'ID', cell: ({ id }) => id, width: '4.75rem', isNamedOnCards: true },
  name: {
    heading: 'Name',
    cell: (workspace) => <NameLink workspace={workspace} />,
    width: '32%',
    card: 'title',
    tone: 'strong',
  },
  description: { heading: 'Description', cell: ({ description }) => description, tone: 'soft' },
  status: {
    heading: 'Status',
    cell: ({ status }) => (status ? <Tag>{status}</Tag> : '–'),
    width: '10.25rem',
    card: 'tags',
  },
}

/** The workspaces that show a dashboard, to attach it to others and detach it. */
export function DashboardWorkspaces({ dashboard }: { dashboard: Dashboard }) {
  const list = useList(listDashboardWorkspaces, (query) => dashboardWorkspacesQuery(dashboard.id, query))
  const { isFiltered, clearFilters } = useListSearch(listDashboardWorkspaces)
  const { attach, detach } = useAttachments(dashboard)
  const heading = useLinkedHeading()
  const canChange = useCanChange()
  const attachButton = canChange && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => void attach()}>
      Attach to workspaces
    </Button>
  )
  const isEmpty = list.rows?.length === 0
  return (
    <section aria-labelledby={HASH} className={classes.section}>
      <div className={classes.top}>
        <div>
          <h2 id={HASH} ref={heading} tabIndex={-1} className={classes.heading}>
            Workspaces
          </h2>
          <p className={classes.count}>
            {list.total === undefined
              ? ' '
              : `${formatCount(list.total, 'workspace')} ${isFiltered ? 'found' : list.total === 1 ? 'shows this dashboard' : 'show this dashboard'}`}
          </p>
        </div>
        <div className={classes.actions}>
          {!(isEmpty && !isFiltered) && (
            <>
              <SearchBox label={listDashboardWorkspaces.list.search} className={classes.search} />
              {attachButton}
            </>
          )}
        </div>
      </div>
      <Table
        label="Workspaces"
        list={list}
        columns={COLUMNS}
        actionsWidth="3.5rem"
        actions={
          canChange
            ? (workspace) => (
                <RowButton
                  icon="close"
                  label={`Detach from ${workspace.name}`}
                  onClick={() => void detach(workspace)}
                />
              )
            : undefined
        }
        empty={
          isFiltered ? (
            <>
              No workspaces match.
              <Button variant="default" onClick={clearFilters}>
                Show all workspaces of this dashboard
              </Button>
            </>
          ) : (
            <>
              No workspace shows this dashboard yet.
              {attachButton}
            </>
          )
        }
      />
    </section>
  )
}

function NameLink({ workspace: { id, name } }: { workspace: DashboardWorkspace }) {
  const backState = useBackState()
  return (
    <Link to="/workspaces/$id" params={{ id: String(id) }} state={backState}>
      {name}
    </Link>
  )
}

/** The browser cannot scroll to what has not loaded when the page opens. */
function useLinkedHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  const isLinked = useLocation({ select: ({ hash }) => hash === HASH })
  useEffect(() => {
    if (!isLinked) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [isLinked])
  return heading
}
