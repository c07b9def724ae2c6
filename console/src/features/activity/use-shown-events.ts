import { useInfiniteQuery } from '@tanstack/react-query'
import { eventsQuery } from './queries.ts'
import { type ActivitySearch, filtersOf } from './search.ts'

/** The events on the first page, as loaded by the list: they have the names of records and people that are deleted. */
export function useShownEvents(search: ActivitySearch) {
  const { data } = useInfiniteQuery({ ...eventsQuery(filtersOf(search)), enabled: false })
  return data?.pages[0]?.objects ?? []
}
