import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { Page } from '../../ui/page/page.tsx'
import { DashboardForm, NEW_DASHBOARD } from './form.tsx'
import { createDashboard } from './queries.ts'

export function CreateDashboardPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useSave({
    initial: NEW_DASHBOARD,
    schema: () => import('@watchdesk/contract/dashboards.schema').then((schema) => schema.DashboardCreate),
    body: ({ name, description, embed_link }) => ({
      name,
      description: description || null,
      embed_link: embed_link.trim(),
    }),
    save: createDashboard,
    saved: async (created) => {
      toastSuccess(`Dashboard ${save.form.getValues().name.trim()} created.`, { link: editOf(created) })
      await client.invalidateQueries({ queryKey: ['dashboards'] })
      await navigate({ to: '/dashboards' })
    },
  })
  return (
    <Page title="Create dashboard" isStart above={<Link to="/dashboards">PowerBI Dashboards</Link>}>
      <DashboardForm save={save} action="Create" isNew />
    </Page>
  )
}

/** Other backends may not return the new dashboard. */
function editOf(created: Partial<Dashboard> | undefined) {
  return created?.id === undefined
    ? undefined
    : ({ to: '/dashboards/$id/edit', params: { id: String(created.id) } } as const)
}
