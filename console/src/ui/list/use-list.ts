import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListOptions, ListQuery } from '@watchdesk/contract/list'
import type { Page } from '@watchdesk/contract/page'
import { useEffect, useState } from 'react'
import { offlineError } from '../../api/call.ts'
import { listQuery, listSearch } from './list-search.ts'

type PageOptions<Row, Key extends QueryKey> = Omit<UseQueryOptions<Page<Row>, Error, Page<Row>, Key>, 'staleTime'>

/** The props of a table that shows a list. */
export type List<Row> = {
  rows: Row[] | undefined
  /** Other rows are being loaded. */
  isChanging: boolean
  error: unknown
  retry: () => void
  /** For lists that the server paginates. */
  pages?: Pages
  /** For lists that the server sorts. */
  sorting?: Sorting
}

export type Sorting = { fields: readonly string[]; current: string; sortBy: (sort: string) => void }

export type Pages = { page: number; size: number; total: number; prefetch: (page: number) => void }

/** Changes the list's search params. A new filter or sort order starts at the first page. */
export function useChangeSearch() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  return (changes: Record<string, unknown>, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: { ...search, page: undefined, ...changes },
      // The back link of the page stays the same.
      state: true,
      replace,
      resetScroll: false,
    })
}

/** The list's state in the search params. */
export function useListSearch<Options extends ListOptions>({ list }: { list: Options }) {
  const search = listSearch(list)(useSearch({ strict: false }))
  const change = useChangeSearch()
  const filters = Object.entries(search).filter(([name, value]) => !KEPT.includes(name) && value !== undefined)
  return {
    search,
    isFiltered: filters.length > 0,
    clearFilters: () => change(Object.fromEntries(filters.map(([name]) => [name, undefined]))),
  }
}

const ALL: Shown = { shown: [], isKnown: true }
const KEPT = ['page', 'sort', 'columns']

/** The columns that a person sees. */
type Shown = {
  shown: readonly string[]
  /** False until it is known which ones were chosen: rows would change their columns. */
  isKnown: boolean
}

/**
 * A paginated list with its page, search, sort and filters in the search params. Computed fields are asked for only if
 * their columns are shown.
 */
export function useList<Options extends ListOptions, Row, Key extends QueryKey>(
  endpoint: { list: Options },
  options: (query: ListQuery<Options>) => PageOptions<Row, Key>,
  { shown, isKnown }: Shown = ALL,
): List<Row> & { total: number | undefined } {
  const { search } = useListSearch(endpoint)
  const change = useChangeSearch()
  const { list } = endpoint
  const { sorts = [], isNewestFirst } = list
  const client = useQueryClient()
  const include = list.include?.filter((field) => shown.includes(field))
  const sent = { ...listQuery(list, search), ...(include?.length && { include }) } as ListQuery<Options>
  const query = useQuery({ ...options(sent), placeholderData: keepPreviousData })
  const { isPlaceholderData } = query
  const isOffline = isWaitingForConnection(query)
  // The rows of another page or filter are not shown as if they were these.
  const data = isOffline ? undefined : query.data
  const page = search.page ?? 1
  // The total of the list with other filters is not that of these.
  const filters = JSON.stringify({ ...sent, page: undefined, sort: undefined, include: undefined })
  const [counted, setCounted] = useState(filters)
  if (!isPlaceholderData && counted !== filters) setCounted(filters)

  const lastPage = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / data.size)) : page
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the page turns out to be empty
  useEffect(() => {
    if (page > lastPage) change({ page: lastPage > 1 ? lastPage : undefined }, { replace: true })
  }, [page, lastPage])

  return {
    // A page past the end is about to be replaced: still loading, not empty.
    rows: page > lastPage || !isKnown ? undefined : data?.objects,
    total: counted === filters ? data?.total : undefined,
    isChanging: isPlaceholderData,
    error: isOffline ? offlineError() : data === undefined ? query.error : null,
    retry: () => void query.refetch(),
    pages: data && {
      page,
      size: data.size,
      total: data.total,
      prefetch: (next) => void client.prefetchQuery(options({ ...sent, page: next })),
    },
    sorting: {
      fields: sorts,
      current: search.sort ?? (isNewestFirst ? '-id' : 'id'),
      sortBy: (sort) => change({ sort }),
    },
  }
}

/** Without a connection a query waits, without an error, and continues by itself later. */
function isWaitingForConnection({ fetchStatus, data, isPlaceholderData }: UseQueryResult) {
  return fetchStatus === 'paused' && (data === undefined || isPlaceholderData)
}

/** A list that is not paginated. */
export function wholeList<Row>(query: UseQueryResult<Row[]>): List<Row> {
  return {
    rows: query.data,
    isChanging: false,
    error: query.data ? null : isWaitingForConnection(query) ? offlineError() : query.error,
    retry: () => void query.refetch(),
  }
}
