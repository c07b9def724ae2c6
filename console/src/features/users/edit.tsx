import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { UserDetails } from '@watchdesk/contract/users'
import { lazy, Suspense, useRef, useState } from 'react'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { useConfirmLeave } from '../../ui/navigation/use-confirm-leave.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LastChanged } from '../activity/shared/last-changed.tsx'
import { NewerVersion } from '../activity/shared/newer-version.tsx'
import { currentUserQuery, hasAccount } from '../auth/queries.ts'
import { useUserFormLinks } from './back-links.ts'
import { UserForm } from './form.tsx'
import { LockNotice } from './lock-notice.tsx'
import { fullName, inList, updateUser, userQuery } from './queries.ts'
import { emailTaken } from './shared/email-taken.ts'
import { useUnlock } from './use-unlock.ts'
import { bodyOf, valuesOf } from './values.ts'

const LINK_SHOWN = {
  title: 'Leave without the link?',
  text: 'It is shown on this page only. Copy it to keep it.',
  action: 'Leave',
  cancel: 'Stay',
}

/** Below the form, so that the page can wait for it. Nothing else depends on it. */
const Access = lazy(() =>
  import('./access.tsx').then(
    (module) => ({ default: module.Access }),
    () => ({ default: () => null }),
  ),
)

export function EditUserPage() {
  const { id } = useParams({ from: '/signed-in/users/$id/edit' })
  return <EditUser key={id} id={Number(id)} />
}

function EditUser({ id }: { id: number }) {
  const { list } = useUserFormLinks()
  const { data: user, edition, error, retry, renew } = useInitialData(userQuery(id))
  return (
    <Page
      title={`${useCanChange() ? 'Edit User' : 'User'} ${user ? fullName(user) : ''}`.trim()}
      changed={<LastChanged of={{ entity: 'user', entity_id: id }} onPutBack={renew} />}
      above={<Link {...linkTo(list)}>Users</Link>}
    >
      {user ? (
        <EditUserForm key={edition} user={user} />
      ) : error ? (
        <Failed error={error} retry={retry} back={{ label: 'Back to users', link: linkTo(list) }} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function EditUserForm({ user }: { user: UserDetails }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: me } = useQuery(currentUserQuery)
  const { back, list } = useUserFormLinks()
  const { isUnlocked, unlock } = useUnlock(user)
  const [isLinkShown, setLinkShown] = useState(false)
  useConfirmLeave(isLinkShown && LINK_SHOWN)
  const workspaces = useRef(new Map([[user.workspace_id, user.workspace.name]]))

  const save = useSave({
    initial: valuesOf(user),
    schema: () => import('@watchdesk/contract/users.schema').then((schema) => schema.UserUpdate),
    body: (values) => bodyOf(values, user.is_auditor),
    // Saving leaves the page, which must not ask again then.
    confirm: async () => {
      const canLeave = !isLinkShown || (await confirm(LINK_SHOWN))
      if (canLeave) setLinkShown(false)
      return canLeave
    },
    save: (body, headers) => updateUser(user.id, body, headers),
    fieldErrors: emailTaken,
    saved: async (_, { values: { first_name, last_name, email }, note }) => {
      const saved = { first_name: first_name.trim(), last_name: last_name.trim(), email: email.trim() }
      toastSuccess(`User ${fullName(saved)} saved.`, { link: inList(saved), note })
      await client.invalidateQueries({ queryKey: ['users'] })
      await navigate(linkTo(list))
    },
    version: user.version,
    conflict: {
      record: { entity: 'user', id: user.id },
      texts: () => import('./shared/labels.ts'),
      load: async () => {
        const theirs = await client.fetchQuery({ ...userQuery(user.id), staleTime: 0 })
        workspaces.current.set(theirs.workspace_id, theirs.workspace.name)
        return { values: valuesOf(theirs), version: theirs.version }
      },
      nameOf: (_, id) => workspaces.current.get(Number(id)),
      secret: { field: 'password', resets: ['password', 'change_password'] },
      history: () => import('../activity/shared/authors.ts'),
    },
  })
  return (
    <>
      {!isUnlocked && <LockNotice user={user} onUnlock={unlock} />}
      <UserForm
        save={save}
        action="Save"
        cancel={linkTo(back)}
        isNew={false}
        notice={<NewerVersion of={{ entity: 'user', entity_id: user.id }} version={user.version} />}
      />
      {hasAccount(me) && (
        <Suspense>
          <Access user={user} onLink={setLinkShown} onUnlock={unlock} />
        </Suspense>
      )}
    </>
  )
}
