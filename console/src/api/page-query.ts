import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Endpoint, PageSchema } from '@watchdesk/contract/endpoint'
import { PAGE_SIZE } from '@watchdesk/contract/limits'
import type { ListOptions, ListQuery } from '@watchdesk/contract/list'
import { call } from './call.ts'

/** The query of a list page. Page and size are always sent, even if the address has no page. */
export function pageQuery<Row, List extends ListOptions>(
  key: QueryKey,
  endpoint: Endpoint<PageSchema<Row, List>> & { list: List },
) {
  return (query: ListQuery<List>) =>
    queryOptions({
      queryKey: [...key, query],
      queryFn: ({ signal }) =>
        call(endpoint, { query: { ...query, page: query.page ?? 1, page_size: query.page_size ?? PAGE_SIZE }, signal }),
    })
}
