import { useQuery } from '@tanstack/react-query'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { currentUserQuery } from '../session/queries.ts'

export function UsersPage() {
  const { data: user, error, refetch } = useQuery(currentUserQuery)
  return (
    <Page
      title="Users"
      summary={
        user && `You are signed in as ${user.first_name} ${user.last_name} of the workspace ${user.workspace.name}.`
      }
    >
      {!user && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
    </Page>
  )
}
