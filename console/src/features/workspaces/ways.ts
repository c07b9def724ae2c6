import { type Place, useCameFrom } from '../../ui/navigation/came-from.ts'

const WORKSPACES: Place = { to: '/workspaces', search: {} }

/** The workspaces list as it was left. */
export function useWorkspacesList(): Place {
  const from = useCameFrom()
  return [from, from?.before].find((place) => place?.to === WORKSPACES.to) ?? WORKSPACES
}

/** Where the edit form leads: Cancel to the page that led to it, saving to the workspace as it was left. */
export function useEditWays(id: number) {
  const from = useCameFrom()
  const list = useWorkspacesList()
  const view: Place = { to: `/workspaces/${id}`, search: {}, before: list }
  return { back: from ?? view, view: from?.to === view.to ? from : view, list }
}
