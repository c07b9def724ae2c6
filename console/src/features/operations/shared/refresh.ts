import type { QueryClient } from '@tanstack/react-query'

/** The beginnings of the keys of what operations change. */
const CHANGED = [
  ...['operations', 'sources', 'sheets', 'stories-import', 'users', 'workspaces', 'dashboards'],
  ...['bin', 'history', 'activity'],
]

export function refreshChanged(client: QueryClient) {
  return Promise.all(CHANGED.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
