import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/users-import'
import { call } from '../../api/call.ts'

/** The rules of a row need zod, which nothing else of the page needs. */
export const rulesQuery = queryOptions({
  queryKey: ['users-import', 'rules'],
  queryFn: () => import('@watchdesk/contract/user-row.schema'),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The users that have one of these emails. */
export function foundQuery(emails: string[]) {
  return queryOptions({
    queryKey: ['users', 'found', emails],
    queryFn: ({ signal }) => call(api.findUsers, { body: { emails }, signal }),
    gcTime: 0,
  })
}

export function importUsers(body: api.UsersImport, key: string) {
  return call(api.importUsers, { body, headers: { 'idempotency-key': key } })
}
