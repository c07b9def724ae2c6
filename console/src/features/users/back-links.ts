import { type PageAddress, usePreviousPage } from '../../ui/navigation/back-link.ts'

const USERS: PageAddress = { to: '/users', search: {} }

/** Where a user form leads: Cancel to the previous page, everything else to the users list. */
export function useUserFormLinks() {
  const from = usePreviousPage() ?? USERS
  return { back: from, list: usersListAfter(from) }
}

/** The list with its previous filters. The users of a workspace view are this list with a filter. */
function usersListAfter({ to, search }: PageAddress): PageAddress {
  if (to === USERS.to) return { to, search }
  const workspace_id = Number(/^\/workspaces\/(\d+)$/.exec(to)?.[1])
  return workspace_id ? { to: USERS.to, search: { ...search, workspace_id } } : USERS
}
