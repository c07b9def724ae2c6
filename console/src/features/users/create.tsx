import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { USER_FORM_WORKSPACES } from '@watchdesk/contract/limits'
import { pick } from '@watchdesk/contract/list'
import { USER_CHOICE_NAMES } from '@watchdesk/contract/users'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery, hasPasswords, seesEverything } from '../auth/queries.ts'
import { workspacesQuery } from '../workspaces/queries.ts'
import { AddManyUsers } from './add-many.tsx'
import { useUserFormLinks } from './back-links.ts'
import { useCreatedUsers } from './created.ts'
import { CreatedPanel } from './created-panel.tsx'
import { UserForm } from './form.tsx'
import { createUser, fullName, inList } from './queries.ts'
import { emailTaken } from './shared/email-taken.ts'
import { bodyOf, newUser } from './values.ts'

export function CreateUserPage() {
  const { workspace_id } = useSearch({ from: '/signed-in/users/create' })
  const { list } = useUserFormLinks()
  const { data: me, isPending, errorUpdateCount } = useQuery(currentUserQuery)
  // An open form stays while the current user is refetched.
  const isFirst = isPending && errorUpdateCount === 0
  const workspaces = useQuery(workspacesQuery({ page: 1, page_size: USER_FORM_WORKSPACES }))
  // Workspace admins can add users to their own workspace only.
  const own = me && !seesEverything(me) ? me.workspace_id : null
  return (
    <Page
      title="Create user"
      isStart
      above={<Link {...linkTo(list)}>Users</Link>}
      filters={<AddManyUsers workspace_id={workspace_id} />}
    >
      {workspaces.error && !workspaces.data ? (
        <Failed error={workspaces.error} retry={() => void workspaces.refetch()} />
      ) : isFirst || !workspaces.data ? (
        <Loading />
      ) : (
        <NewUserForm workspaceId={own ?? workspace_id ?? null} isWithPasswords={hasPasswords(me)} />
      )}
    </Page>
  )
}

type NewUserFormProps = { workspaceId: number | null; isWithPasswords: boolean }

function NewUserForm({ workspaceId, isWithPasswords }: NewUserFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { back, list } = useUserFormLinks()
  const { created, add, dismiss } = useCreatedUsers()
  const save = useSave({
    initial: newUser(workspaceId),
    schema: () => import('@watchdesk/contract/users.schema').then((schema) => schema.UserCreate),
    // Without passwords, users get neither one nor an invitation.
    body: (values) =>
      isWithPasswords ? bodyOf(values) : { ...bodyOf({ ...values, change_password: false }), invite: false },
    save: async (user) => ({ user, invitation: (await createUser(user)).invitation }),
    fieldErrors: emailTaken,
    // Colleagues often share these; permissions are granted one by one.
    another: (values) => ({ ...newUser(values.workspace_id), ...pick(values, [...USER_CHOICE_NAMES, 'invite']) }),
    saved: async ({ user, invitation }, { values, isAnother }) => {
      toastSuccess(`User ${fullName(user)} created.`, { link: inList(user) })
      await client.invalidateQueries({ queryKey: ['users'] })
      // Not earlier: it would push the form down while it is still visible.
      if (isWithPasswords) add(values, invitation)
      if (!isAnother) await navigate(linkTo(list))
    },
  })
  return (
    <>
      {created.length > 0 && <CreatedPanel created={created} onDismiss={dismiss} isNarrow />}
      <UserForm save={save} action="Create" cancel={linkTo(back)} isNew />
    </>
  )
}
