/** What of a list stands in the address: back, reload and a shared link show the same rows. */
export type ListSearch = { page?: number; search?: string; sort?: string; workspace_id?: number }

/** Reads a list's part of the address. Unknown values are set to undefined, because the router keeps keys that are left out. */
export function listSearch(sorts: readonly string[]) {
  return (given: Record<string, unknown>): ListSearch => {
    const page = positive(given.page)
    const sort = String(given.sort ?? '')
    return {
      page: page === 1 ? undefined : page,
      search: text(given.search),
      sort: sorts.includes(sort.replace(/^-/, '')) ? sort : undefined,
      workspace_id: positive(given.workspace_id),
    }
  }
}

/** Stands for a `workspace_id` in the address that is not an id. */
export const NO_WORKSPACE = 0

/** The optional query of create-user. */
export function workspaceSearch({ workspace_id }: Record<string, unknown>): Pick<ListSearch, 'workspace_id'> {
  return { workspace_id: text(workspace_id) === undefined ? undefined : (positive(workspace_id) ?? NO_WORKSPACE) }
}

/** Which rows of a sheet are shown. */
export function outcomeSearch(given: Record<string, unknown>): { outcome?: string } {
  return { outcome: text(given.outcome) }
}

/** The runs have pages; the trigger may be given its narrative. */
export function runSearch(given: Record<string, unknown>): Pick<ListSearch, 'page'> & { narrative_id?: number } {
  return { page: listSearch([])(given).page, narrative_id: positive(given.narrative_id) }
}

const LARGEST = 2_147_483_647

function positive(value: unknown) {
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= LARGEST ? number : undefined
}

function text(value: unknown) {
  return value === undefined || value === '' ? undefined : String(value)
}
