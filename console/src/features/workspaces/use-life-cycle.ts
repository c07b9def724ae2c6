import { useQuery } from '@tanstack/react-query'
import { listAuditEvents } from '@watchdesk/contract/activity'
import { hasCallQuery } from '../../api/has-call.ts'
import { lifeCycleQuery } from './queries.ts'

/** What the server does automatically. Undefined until the side menu has found out that the backend has such calls. */
export function useLifeCycle() {
  const { data: isOurs = false } = useQuery({ ...hasCallQuery(listAuditEvents), enabled: false })
  return useQuery({ ...lifeCycleQuery, enabled: isOurs }).data
}
