import { skipToken, useQuery } from '@tanstack/react-query'
import { listImports } from '@watchdesk/contract/imports'

/** Whether the backend keeps imports, and so has jobs. The side menu finds that out, for super admins. */
export function useHasJobs() {
  const { data } = useQuery<boolean>({ queryKey: ['menu', listImports.url], queryFn: skipToken })
  return data === true
}
