import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { Page } from '../../ui/page/page.tsx'
import { useWorkspacesList } from './back-links.ts'
import { WorkspaceForm } from './form.tsx'
import { type Choices, choicesQuery, createWorkspace, type Defaults, defaultsQuery } from './queries.ts'
import { bodyOf, newWorkspace, savedNote } from './values.ts'

export function CreateWorkspacePage() {
  const list = useWorkspacesList()
  const defaults = useInitialData(defaultsQuery)
  const choices = useInitialData(choicesQuery)
  const failed = [defaults, choices].find(({ error }) => error)
  return (
    <Page title="Create workspace" isStart above={<Link {...linkTo(list)}>Workspaces</Link>}>
      {defaults.data && choices.data ? (
        <NewWorkspaceForm defaults={defaults.data} choices={choices.data} />
      ) : failed ? (
        <Failed {...failed} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function NewWorkspaceForm({ defaults, choices }: { defaults: Defaults; choices: Choices }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const list = useWorkspacesList()
  const save = useSave({
    initial: newWorkspace(defaults),
    schema: () => import('@watchdesk/contract/workspaces.schema').then((schema) => schema.WorkspaceBody),
    body: bodyOf,
    save: createWorkspace,
    saved: async ({ id }) => {
      const values = save.form.getValues()
      const text = `Workspace ${values.name.trim()} created.${savedNote(values)}`
      toastSuccess(text, { link: { to: '/workspaces/$id', params: { id: String(id) } } })
      await client.invalidateQueries({ queryKey: ['workspaces'] })
      await navigate({ to: '/users/create', search: { workspace_id: id } })
    },
  })
  return <WorkspaceForm save={save} choices={choices} action="Create" cancel={linkTo(list)} isNew />
}
