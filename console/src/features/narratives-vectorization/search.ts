import type { ListSearch } from '@watchdesk/contract/list'
import { listRuns, type runList } from '@watchdesk/contract/narratives-vectorization'
import { listSearch } from '../../ui/list/list-search.ts'
import { integerParam } from '../../ui/navigation/search-params.ts'

const readList = listSearch(listRuns.list)

type RunSearch = Pick<ListSearch<typeof runList>, 'page' | 'status' | 'from' | 'to'> & { narrative_id?: number }

/** The page and filters of the runs list, and a narrative id to prefill the trigger form. */
export function runSearch(given: Record<string, unknown>): RunSearch {
  const { page, status, from, to } = readList(given)
  return { page, status, from, to, narrative_id: integerParam(given.narrative_id) }
}
