import { listRuns } from '@watchdesk/contract/narratives-vectorization'
import { listSearch } from '../../ui/list/list-search.ts'
import { integerParam } from '../../ui/navigation/search-params.ts'

const readList = listSearch(listRuns.list)

/** The page of the runs list, and a narrative id to prefill the trigger form. */
export function runSearch(given: Record<string, unknown>): { page?: number; narrative_id?: number } {
  return { page: readList(given).page, narrative_id: integerParam(given.narrative_id) }
}
