import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { lazy, Suspense, useRef } from 'react'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LastChanged } from '../activity/shared/last-changed.tsx'
import { NewerVersion } from '../activity/shared/newer-version.tsx'
import { DashboardForm, valuesOf } from './form.tsx'
import { dashboardQuery, updateDashboard } from './queries.ts'

const DashboardWorkspaces = lazy(() =>
  import('./workspaces.tsx').then((module) => ({ default: module.DashboardWorkspaces })),
)

export function EditDashboardPage() {
  const { id } = useParams({ from: '/signed-in/dashboards/$id/edit' })
  return <EditDashboard key={id} id={Number(id)} />
}

function EditDashboard({ id }: { id: number }) {
  const { data: dashboard, edition, error, retry, renew } = useInitialData(dashboardQuery(id))
  return (
    <Page
      title={`${useCanChange() ? 'Edit dashboard' : 'Dashboard'} ${dashboard?.name ?? ''}`.trim()}
      changed={<LastChanged of={{ entity: 'dashboard', entity_id: id }} onPutBack={renew} />}
      above={<Link to="/dashboards">PowerBI Dashboards</Link>}
    >
      {dashboard ? (
        <>
          <EditDashboardForm key={edition} dashboard={dashboard} />
          {/* Other backends do not list them. */}
          {dashboard.workspaces_count !== undefined && (
            <Suspense fallback={<Loading />}>
              <DashboardWorkspaces dashboard={dashboard} />
            </Suspense>
          )}
        </>
      ) : error ? (
        <Failed error={error} retry={retry} back={{ label: 'Back to dashboards', link: { to: '/dashboards' } }} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function EditDashboardForm({ dashboard }: { dashboard: Dashboard }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const stored = useRef(dashboard)
  const save = useSave({
    initial: valuesOf(dashboard),
    schema: () => import('@watchdesk/contract/dashboards.schema').then((schema) => schema.DashboardUpdate),
    body: ({ name, description, embed_link }) => ({
      name,
      embed_link: embed_link.trim(),
      // Null values are not sent: a missing description stays missing, a cleared one is sent as an empty string.
      ...((description !== '' || stored.current.description !== null) && { description }),
    }),
    save: (body, headers) => updateDashboard(dashboard.id, body, headers),
    saved: async (_, { values, note }) => {
      toastSuccess(`Dashboard ${values.name.trim()} saved.`, { note })
      await client.invalidateQueries({ queryKey: ['dashboards'] })
      await navigate({ to: '/dashboards' })
    },
    version: dashboard.version,
    conflict: {
      record: { entity: 'dashboard', id: dashboard.id },
      texts: () => import('./shared/labels.ts'),
      load: async () => {
        const theirs = await client.fetchQuery({ ...dashboardQuery(dashboard.id), staleTime: 0 })
        stored.current = theirs
        return { values: valuesOf(theirs), version: theirs.version }
      },
      history: () => import('../activity/shared/authors.ts'),
    },
  })
  return (
    <DashboardForm
      save={save}
      action="Save"
      notice={<NewerVersion of={{ entity: 'dashboard', entity_id: dashboard.id }} version={dashboard.version} />}
    />
  )
}
