import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isOtherBackend, lifeCycleQuery } from './queries.ts'

/** What the server does automatically. Undefined if that is not known. */
export function useLifeCycle() {
  const client = useQueryClient()
  return useQuery({ ...lifeCycleQuery, enabled: !isOtherBackend(client) }).data
}
