import { type ListSearch, listSearch } from '../../ui/list/list-search.ts'
import { integerParam } from '../../ui/navigation/search-params.ts'

/** The runs have pages; the trigger may be given its narrative. */
export function runSearch(given: Record<string, unknown>): Pick<ListSearch, 'page'> & { narrative_id?: number } {
  return { page: listSearch([])(given).page, narrative_id: integerParam(given.narrative_id) }
}
