import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Invitation } from '@watchdesk/contract/users'
import { fullName } from './queries.ts'
import type { UserValues } from './values.ts'

/** The password is empty if the user is invited. */
export type NewUser = { name: string; email: string; password: string; invitation: Invitation | undefined }

const CREATED = ['created-users']

/**
 * The users created since the panel was last dismissed, with their passwords or links. Kept in memory only, never in an address,
 * a storage or a log. Logging out loads a new page, which clears it.
 */
export function useCreatedUsers() {
  const client = useQueryClient()
  const { data: created = [] } = useQuery<NewUser[]>({
    queryKey: CREATED,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return {
    created,
    add: ({ first_name, last_name, email, password }: UserValues, invitation: Invitation | undefined) => {
      const name = fullName({ first_name: first_name.trim(), last_name: last_name.trim() })
      const user = { name, email: email.trim(), password: invitation ? '' : password, invitation }
      client.setQueryData<NewUser[]>(CREATED, (known = []) => [user, ...known])
    },
    dismiss: () => client.setQueryData<NewUser[]>(CREATED, []),
  }
}
