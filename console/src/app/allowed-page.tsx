import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches } from '@tanstack/react-router'
import { currentUserQuery } from '../features/session/queries.ts'
import { Loading } from '../ui/feedback/loading.tsx'
import { Page } from '../ui/page/page.tsx'

/** The page of the address, or why this person cannot use it. The server checks every call in any case. */
export function AllowedPage() {
  const { data: me, errorUpdateCount } = useQuery(currentUserQuery)
  const isForEveryone = useMatches({ select: (matches) => matches.at(-1)?.staticData.isForWorkspaceAdmins === true })
  // A page that is open stays while the person is asked for again.
  if (isForEveryone || (!me && errorUpdateCount > 0)) return <Outlet />
  if (!me) return <Loading />
  // Another backend may not say who is a super admin: it decides call by call.
  return me.is_super_admin === false ? <NoAccess /> : <Outlet />
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
