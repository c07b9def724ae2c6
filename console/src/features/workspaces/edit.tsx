import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LastChanged } from '../activity/shared/last-changed.tsx'
import { NewerVersion } from '../activity/shared/newer-version.tsx'
import { useEditLinks } from './back-links.ts'
import { WorkspaceForm } from './form.tsx'
import { type Choices, choicesQuery, updateWorkspace, workspaceQuery } from './queries.ts'
import { bodyOf, savedNote, valuesOf } from './values.ts'

export function EditWorkspacePage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id/edit' })
  return <EditWorkspace key={id} id={Number(id)} />
}

function EditWorkspace({ id }: { id: number }) {
  const { list } = useEditLinks(id)
  const workspace = useInitialData(workspaceQuery(id))
  const choices = useInitialData(choicesQuery)
  const failed = [workspace, choices].find(({ error }) => error)
  return (
    <Page
      title={workspace.data?.name ?? 'Workspace'}
      summary={useCanChange() ? 'Edit workspace' : 'Workspace settings'}
      changed={<LastChanged of={{ entity: 'workspace', entity_id: id }} onPutBack={workspace.renew} />}
      above={<Link {...linkTo(list)}>Workspaces</Link>}
    >
      {workspace.data && choices.data ? (
        <EditWorkspaceForm key={workspace.edition} workspace={workspace.data} choices={choices.data} />
      ) : failed ? (
        <Failed error={failed.error} retry={failed.retry} back={{ label: 'Back to workspaces', link: linkTo(list) }} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function EditWorkspaceForm({ workspace, choices }: { workspace: Workspace; choices: Choices }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { back, view } = useEditLinks(workspace.id)

  const save = useSave({
    initial: valuesOf(workspace),
    schema: () => import('@watchdesk/contract/workspaces.schema').then((schema) => schema.WorkspaceBody),
    body: bodyOf,
    confirm: async ({ status }) => {
      if (status !== 'DEACTIVATED' || workspace.status === 'DEACTIVATED') return true
      const { askDeactivate } = await import('./ask-deactivate.tsx')
      return askDeactivate(workspace)
    },
    save: (body, headers) => updateWorkspace(workspace.id, body, headers),
    saved: async (_, { values, note }) => {
      toastSuccess(`Workspace ${values.name.trim()} saved.${savedNote(values)}`, { note })
      // Users show the name of their workspace.
      await Promise.all(['workspaces', 'users'].map((key) => client.invalidateQueries({ queryKey: [key] })))
      await navigate(linkTo(view))
    },
    version: workspace.version,
    conflict: {
      record: { entity: 'workspace', id: workspace.id },
      texts: () => import('./shared/labels.ts'),
      load: async () => {
        const theirs = await client.fetchQuery({ ...workspaceQuery(workspace.id), staleTime: 0 })
        return { values: valuesOf(theirs), version: theirs.version }
      },
      nameOf: (path, value) =>
        path === 'powerbi_dashboards'
          ? choices.dashboards.find(({ id }) => id === value)?.name
          : Object.entries(choices.models).find(([, model]) => model === value)?.[0],
      history: () => import('../activity/shared/authors.ts'),
    },
  })
  return (
    <WorkspaceForm
      save={save}
      choices={choices}
      action="Save"
      cancel={linkTo(back)}
      notice={<NewerVersion of={{ entity: 'workspace', entity_id: workspace.id }} version={workspace.version} />}
    />
  )
}
