import { type PageAddress, usePreviousPage } from '../../ui/navigation/back-link.ts'

const WORKSPACES: PageAddress = { to: '/workspaces', search: {} }

/** The workspaces list with its previous filters. */
export function useWorkspacesList(): PageAddress {
  const from = usePreviousPage()
  return [from, from?.before].find((place) => place?.to === WORKSPACES.to) ?? WORKSPACES
}

/** Where the edit form leads: Cancel to the previous page, saving to the workspace. */
export function useEditLinks(id: number) {
  const from = usePreviousPage()
  const list = useWorkspacesList()
  const view: PageAddress = { to: `/workspaces/${id}`, search: {}, before: list }
  return { back: from ?? view, view: from?.to === view.to ? from : view, list }
}
