import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { formatCount } from '../../ui/display/format.ts'
import { webLink } from '../../ui/display/web-link.ts'
import type { Columns } from '../../ui/list/columns.ts'
import { RowButton, RowLink } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { wholeList } from '../../ui/list/use-list.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { Page } from '../../ui/page/page.tsx'
import { dashboardQuery, dashboardsQuery } from './queries.ts'
import { useDeleteDashboard } from './use-delete.tsx'

const COLUMNS: Columns<Dashboard> = {
  id: { heading: 'ID', cell: ({ id }) => id, width: '4.75rem', isNamedOnCards: true },
  name: { heading: 'Name', cell: ({ name }) => name, width: '22%', card: 'title', tone: 'strong' },
  description: { heading: 'Description', cell: ({ description }) => description, tone: 'soft' },
  embed_link: {
    heading: 'Embed link',
    cell: ({ embed_link }) => <EmbedLink link={embed_link} />,
    width: '32%',
    card: 'tags',
  },
}

export function DashboardsPage() {
  const list = wholeList(useQuery(dashboardsQuery))
  const prefetch = usePrefetch()
  const remove = useDeleteDashboard()
  return (
    <Page title="PowerBI Dashboards" summary={list.rows ? formatCount(list.rows.length, 'dashboard') : ' '}>
      <Table
        label="Dashboards"
        list={list}
        columns={COLUMNS}
        add={{ label: 'Create dashboard', to: '/dashboards/create' }}
        actions={(dashboard) => (
          <>
            <RowLink
              icon="pencil"
              label={`Edit ${dashboard.name}`}
              to="/dashboards/$id/edit"
              params={{ id: String(dashboard.id) }}
              {...prefetch(dashboardQuery(dashboard.id))}
            />
            <RowButton icon="trash" label={`Delete ${dashboard.name}`} onClick={() => void remove(dashboard)} />
          </>
        )}
        empty={
          <>
            No dashboards yet. Create one, then add it to a workspace.
            <Button renderRoot={(props) => <Link to="/dashboards/create" {...props} />}>Create dashboard</Button>
          </>
        }
      />
    </Page>
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
