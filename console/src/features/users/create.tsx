import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useSave } from '../../ui/use-save.ts'
import { currentUserQuery } from '../session/queries.ts'
import { UserForm } from './form.tsx'
import { createUser } from './queries.ts'
import { bodyOf, newUser } from './values.ts'

export function CreateUserPage() {
  const { workspace_id } = useSearch({ from: '/signed-in/users/create' })
  const { data: me, isPending } = useQuery(currentUserQuery)
  // Workspace admins add to their own workspace and to no other.
  const own = me && !me.is_super_admin ? me.workspace_id : null
  return (
    <Page title="Create user" above={<Link to="/users">Users</Link>}>
      {isPending ? <Loading /> : <NewUserForm workspaceId={own ?? workspace_id ?? null} />}
    </Page>
  )
}

function NewUserForm({ workspaceId }: { workspaceId: number | null }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useSave({
    initial: newUser(workspaceId),
    schema: () => import('./schemas.ts').then(({ schemas }) => schemas.UserCreate),
    body: bodyOf,
    save: createUser,
    saved: async () => {
      await client.invalidateQueries({ queryKey: ['users'] })
      await navigate({ to: '/users' })
    },
  })
  return <UserForm save={save} action="Create" isNew />
}
