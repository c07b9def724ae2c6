import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches } from '@tanstack/react-router'
import { currentUserQuery, seesEverything } from '../features/auth/queries.ts'
import { Loading } from '../ui/feedback/loading.tsx'
import { CanChange } from '../ui/page/can-change.tsx'
import { Page } from '../ui/page/page.tsx'

/** The requested page, in which auditors change nothing, or why the user has no access to it. The server checks every call anyway. */
export function AllowedPage() {
  const { data: me, errorUpdateCount } = useQuery(currentUserQuery)
  const isForEveryone = useMatches({ select: (matches) => matches.at(-1)?.staticData.isForWorkspaceAdmins === true })
  // An open page stays while the current user is refetched.
  if (!isForEveryone && !me && errorUpdateCount === 0) return <Loading />
  // Other backends may not return who is a super admin; they check every call.
  const isRefused = !isForEveryone && me?.is_super_admin === false && !seesEverything(me)
  return <CanChange value={me?.is_auditor !== true}>{isRefused ? <NoAccess /> : <Outlet />}</CanChange>
}

function NoAccess() {
  return (
    <Page
      title="You don't have access to this page"
      summary="Only super admins can open it. If you need it, ask a super admin to give you access."
    >
      <div>
        <Button renderRoot={(props) => <Link to="/users" {...props} />}>Go to users</Button>
      </div>
    </Page>
  )
}
