import { queryOptions } from '@tanstack/react-query'
import { getOverview } from '@watchdesk/contract/overview'
import { call } from '../../api/call.ts'

/** Always read again when the page is opened or returned to: what needed attention may have been done elsewhere. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call(getOverview, { signal }),
  staleTime: 0,
})
