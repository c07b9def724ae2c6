/** What of a list stands in the address: back, reload and a shared link show the same rows. */
export type ListSearch = { page?: number; search?: string; sort?: string; workspace_id?: number }

/** Reads a list's part of the address; what is not understood counts as not given. */
export function listSearch(sorts: readonly string[]) {
  return (given: Record<string, unknown>): ListSearch => {
    const page = positive(given.page)
    const search = given.search === undefined ? '' : String(given.search)
    const sort = String(given.sort ?? '')
    const workspace_id = positive(given.workspace_id)
    return {
      ...(page !== undefined && page > 1 && { page }),
      ...(search !== '' && { search }),
      ...(sorts.includes(sort.replace(/^-/, '')) && { sort }),
      ...(workspace_id !== undefined && { workspace_id }),
    }
  }
}

/** The optional query of create-user. */
export function workspaceSearch(given: Record<string, unknown>): Pick<ListSearch, 'workspace_id'> {
  const workspace_id = positive(given.workspace_id)
  return workspace_id === undefined ? {} : { workspace_id }
}

/** Which rows of a sheet are shown. */
export function outcomeSearch(given: Record<string, unknown>): { outcome?: string } {
  const outcome = given.outcome === undefined ? '' : String(given.outcome)
  return outcome === '' ? {} : { outcome }
}

/** The runs have pages; the trigger may be given its narrative. */
export function runSearch(given: Record<string, unknown>): Pick<ListSearch, 'page'> & { narrative_id?: number } {
  const { page } = listSearch([])(given)
  const narrative_id = positive(given.narrative_id)
  return { ...(page !== undefined && { page }), ...(narrative_id !== undefined && { narrative_id }) }
}

const LARGEST = 2_147_483_647

function positive(value: unknown) {
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= LARGEST ? number : undefined
}
