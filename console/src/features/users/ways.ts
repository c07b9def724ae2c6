import { type Place, useCameFrom } from '../../ui/navigation/came-from.ts'

const USERS: Place = { to: '/users', search: {} }

/** Where a user form leads: Cancel to the page that led to it, everything else to the users list. */
export function useUserFormWays() {
  const from = useCameFrom() ?? USERS
  return { back: from, list: usersListAfter(from) }
}

/** The list as it was left. The users of a workspace view are this list with a filter. */
function usersListAfter({ to, search }: Place): Place {
  if (to === USERS.to) return { to, search }
  const workspace_id = Number(/^\/workspaces\/(\d+)$/.exec(to)?.[1])
  return workspace_id ? { to: USERS.to, search: { ...search, workspace_id } } : USERS
}
