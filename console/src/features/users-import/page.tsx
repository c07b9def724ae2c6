import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { pick } from '@watchdesk/contract/list'
import { USER_SETTINGS } from '@watchdesk/contract/user-row'
import { USER_DEFAULTS } from '@watchdesk/contract/users'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { Loading } from '../../ui/feedback/loading.tsx'
import { useConfirmLeave } from '../../ui/navigation/use-confirm-leave.ts'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery, hasAccount, hasPasswords, seesEverything } from '../auth/queries.ts'
import { EarlierImports } from '../operations/shared/operation-links.tsx'
import { UsersForm, type UsersValues } from './form.tsx'
import { textOf } from './rows.ts'

const Run = lazy(() => import('./run.tsx').then((module) => ({ default: module.Run })))

const DISCARD = {
  title: 'Discard the list?',
  text: 'Nobody on it has been added yet.',
  action: 'Discard',
  cancel: 'Keep editing',
}

export function UsersImportPage() {
  const { workspace_id } = useSearch({ from: '/signed-in/users/import' })
  const { data: me, isPending, errorUpdateCount } = useQuery(currentUserQuery)
  // What is written stays while the current user is refetched.
  const isFirst = isPending && errorUpdateCount === 0
  // Workspace admins can add users to their own workspace only.
  const own = me && !seesEverything(me) ? me.workspace_id : null
  const isWithPasswords = hasPasswords(me)
  const canInvite = isWithPasswords && hasAccount(me)
  return (
    <Page
      title="Add many users"
      isStart
      summary={`Paste emails and names, or choose a file.${secretText(canInvite, isWithPasswords)}`}
      above={<Link to="/users">Users</Link>}
      filters={seesEverything(me) && <EarlierImports kind="users_import" />}
    >
      {isFirst ? (
        <Loading />
      ) : (
        <AddUsers
          own={own}
          canInvite={canInvite}
          isWithPasswords={isWithPasswords}
          workspaceId={own ?? workspace_id ?? null}
        />
      )}
    </Page>
  )
}

function secretText(canInvite: boolean, isWithPasswords: boolean) {
  if (!isWithPasswords) return ''
  return ` Everyone gets a generated password${canInvite ? ' or an invitation' : ''}.`
}

type AddUsersProps = { own: number | null; canInvite: boolean; isWithPasswords: boolean; workspaceId: number | null }

function AddUsers({ own, canInvite, isWithPasswords, workspaceId }: AddUsersProps) {
  const [values, setValues] = useState<UsersValues>({
    workspace_id: workspaceId,
    settings: pick(USER_DEFAULTS, USER_SETTINGS),
    invite: false,
    text: '',
    name: '',
  })
  const [sent, setSent] = useState<Pick<ComponentProps<typeof Run>, 'rows' | 'wanted'>>()
  useConfirmLeave(!sent && values.text.trim() !== '' && DISCARD)

  if (!sent) {
    return (
      <UsersForm
        values={values}
        isOwnOnly={own !== null}
        canInvite={canInvite}
        onChange={(changed) => setValues((now) => ({ ...now, ...changed }))}
        onSubmit={(rows, workspace_id) => {
          const { settings, invite, name } = values
          const wanted = { workspace_id, ...settings, name: name || undefined }
          setSent({ rows, wanted: { ...wanted, invite: invite || undefined } })
        }}
      />
    )
  }
  return (
    <Suspense fallback={<Loading />}>
      <Run
        {...sent}
        isWithPasswords={isWithPasswords}
        isImportShown={own === null}
        onMore={(rows) => {
          // The row numbers of the file are those of lines no longer.
          const left = rows.map(({ written }, index) => ({ row: index + 2, written }))
          setValues((now) => ({ ...now, text: textOf({ rows: left, total: left.length, ignored: [] }), name: '' }))
          setSent(undefined)
        }}
      />
    </Suspense>
  )
}
