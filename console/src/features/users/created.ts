import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { fullName } from './queries.ts'
import type { UserValues } from './values.ts'

export type CreatedUser = { name: string; email: string; password: string }

const CREATED = ['created-users']

/**
 * The users created since the panel was last dismissed, with their passwords. Kept in memory only, never in an address,
 * a storage or a log. Logging out loads a new page, which clears it.
 */
export function useCreatedUsers() {
  const client = useQueryClient()
  const { data: created = [] } = useQuery<CreatedUser[]>({
    queryKey: CREATED,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return {
    created,
    add: ({ first_name, last_name, email, password }: UserValues) => {
      const name = fullName({ first_name: first_name.trim(), last_name: last_name.trim() })
      const user = { name, email: email.trim(), password }
      client.setQueryData<CreatedUser[]>(CREATED, (known = []) => [user, ...known])
    },
    dismiss: () => client.setQueryData<CreatedUser[]>(CREATED, []),
  }
}
