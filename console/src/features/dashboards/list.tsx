import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { formatCount } from '../../ui/display/format.ts'
import { webLink } from '../../ui/display/web-link.ts'
import type { Columns } from '../../ui/list/columns.ts'
import { RowButton, RowLink } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { Toolbar } from '../../ui/list/toolbar.tsx'
import { wholeList } from '../../ui/list/use-list.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ColumnsMenu } from '../saved-views/shared/columns-menu.tsx'
import { useColumns } from '../saved-views/shared/use-columns.ts'
import { LinkCheckBar, LinkResult } from './link-check.tsx'
import { dashboardQuery, dashboardsQuery } from './queries.ts'
import { useDashboardSelection } from './use-dashboard-selection.tsx'
import { useDeleteDashboard } from './use-delete.tsx'
import { useLinkCheck } from './use-link-check.ts'

const COLUMNS = {
  id: { heading: 'ID', cell: ({ id }) => id, width: '4.75rem', isNamedOnCards: true },
  name: { heading: 'Name', cell: ({ name }) => name, width: '22%', card: 'title', tone: 'strong' },
  description: { heading: 'Description', cell: ({ description }) => description, tone: 'soft' },
  embed_link: {
    heading: 'Embed link',
    cell: ({ embed_link }) => <EmbedLink link={embed_link} />,
    width: '32%',
    card: 'tags',
  },
  workspaces_count: {
    heading: 'Used in',
    cell: (dashboard) => <UsedIn dashboard={dashboard} />,
    width: '9rem',
    card: 'tags',
    isNamedOnCards: true,
  },
} satisfies Columns<Dashboard>

/** With the results, so that the description keeps its place. */
const NARROWER: Columns<Dashboard> = {
  name: { ...COLUMNS.name, width: '16%' },
  embed_link: { ...COLUMNS.embed_link, width: '18%' },
}

export function DashboardsPage() {
  const list = wholeList(useQuery(dashboardsQuery))
  // Other backends do not count them.
  const isCounted = list.rows?.some(({ workspaces_count }) => workspaces_count !== undefined)
  const columns = useColumns('dashboards')
  const check = useLinkCheck()
  const results: Columns<Dashboard> = {
    ...NARROWER,
    link_check: {
      heading: 'Link check',
      cell: (dashboard) => <LinkResult of={check.resultOf(dashboard)} />,
      width: '14.5rem',
      card: 'tags',
      isWrapped: true,
    },
  }
  const selecting = useDashboardSelection(list.rows?.length ?? 0)
  const prefetch = usePrefetch()
  const remove = useDeleteDashboard()
  const canChange = useCanChange()
  return (
    <Page
      title="PowerBI Dashboards"
      summary={list.rows ? formatCount(list.rows.length, 'dashboard') : ' '}
      filters={isCounted && <LinkCheckBar check={check} dashboards={list.rows ?? []} />}
    >
      {isCounted && <Toolbar tools={<ColumnsMenu of={columns} columns={COLUMNS} />} />}
      <Table
        label="Dashboards"
        list={list}
        {...selecting}
        columns={{ ...COLUMNS, ...(check.isShown && results) }}
        shown={check.isShown ? [...columns.shown, 'link_check'] : columns.shown}
        actionsWidth={check.isShown ? '7.75rem' : undefined}
        add={{ label: 'Create dashboard', to: '/dashboards/create' }}
        actions={(dashboard) => (
          <>
            {check.isShown && (
              <RowButton
                icon="refresh"
                label={`Check the link of ${dashboard.name} again`}
                onClick={() => void check.run([dashboard])}
              />
            )}
            <RowLink
              icon={canChange ? 'pencil' : 'eye'}
              label={`${canChange ? 'Edit' : 'View'} ${dashboard.name}`}
              to="/dashboards/$id/edit"
              params={{ id: String(dashboard.id) }}
              {...prefetch(dashboardQuery(dashboard.id))}
            />
            {canChange && (
              <RowButton icon="trash" label={`Delete ${dashboard.name}`} onClick={() => remove(dashboard)} />
            )}
          </>
        )}
        empty={
          <>
            No dashboards yet.
            {canChange && (
              <>
                {' '}
                Create one, then add it to a workspace.
                <Button renderRoot={(props) => <Link to="/dashboards/create" {...props} />}>Create dashboard</Button>
              </>
            )}
          </>
        }
      />
    </Page>
  )
}

function UsedIn({ dashboard: { id, workspaces_count = 0 } }: { dashboard: Dashboard }) {
  return (
    <Link to="/dashboards/$id/edit" params={{ id: String(id) }} hash="workspaces">
      {workspaces_count === 0 ? 'No workspaces' : formatCount(workspaces_count, 'workspace')}
    </Link>
  )
}

function EmbedLink({ link }: { link: string }) {
  const href = webLink(link)
  if (href === undefined) return link
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {link}
    </a>
  )
}
