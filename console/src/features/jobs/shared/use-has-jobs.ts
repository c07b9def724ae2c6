import { type QueryClient, useQuery } from '@tanstack/react-query'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { hasCallQuery } from '../../../api/has-call.ts'
import { currentUserQuery, seesEverything } from '../../auth/queries.ts'

/** A backend that keeps imports has jobs too. */
const query = hasCallQuery(listOperations)

/** Whether the backend is known to have jobs. The side menu finds that out, for super admins. */
export function useHasJobs() {
  return useQuery({ ...query, enabled: false }).data === true
}

/** Waits until it is known. */
export async function hasJobs(client: QueryClient) {
  const me = client.getQueryData(currentUserQuery.queryKey)
  return seesEverything(me) && client.fetchQuery(query).catch(() => false)
}
