import { integerParam, textParam } from '../navigation/search-params.ts'

/** What of a list stands in the address: back, reload and a shared link show the same rows. */
export type ListSearch = { page?: number; search?: string; sort?: string; workspace_id?: number }

/** Reads a list's part of the address. Unknown values are set to undefined, because the router keeps keys that are left out. */
export function listSearch(sorts: readonly string[]) {
  return (given: Record<string, unknown>): ListSearch => {
    const page = integerParam(given.page)
    const sort = String(given.sort ?? '')
    return {
      page: page === 1 ? undefined : page,
      search: textParam(given.search),
      sort: sorts.includes(sort.replace(/^-/, '')) ? sort : undefined,
      workspace_id: integerParam(given.workspace_id),
    }
  }
}
