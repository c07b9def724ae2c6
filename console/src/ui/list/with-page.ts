import { PAGE_SIZE } from '@watchdesk/contract/limits'

type Page = { page?: number; page_size?: number }

/** A list's query as it is sent: always with its page, also where the address is silent about the first one. */
export function withPage<Query extends Page>(query: Query): Query {
  return { ...query, page: query.page ?? 1, page_size: query.page_size ?? PAGE_SIZE }
}
