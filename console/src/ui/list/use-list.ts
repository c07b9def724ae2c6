import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Page } from '@watchdesk/contract/page'
import { useEffect } from 'react'
import type { ListSearch } from './list-search.ts'

type PageOptions<Row, Key extends QueryKey> = Omit<UseQueryOptions<Page<Row>, Error, Page<Row>, Key>, 'staleTime'>

/** A list as a table shows it. */
export type List<Row> = {
  rows: Row[] | undefined
  /** Other rows than those shown are on their way. */
  isChanging: boolean
  error: unknown
  retry: () => void
  /** Where the server has the pages. */
  pages?: Pages
  sort?: string
  sortBy?: (sort: string) => void
}

export type Pages = { page: number; size: number; total: number; prefetch: (page: number) => void }

/** The list's state in the address, and how to change it. A change of what is listed starts at its first page. */
export function useListSearch() {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  function change(changes: ListSearch, { replace = false } = {}) {
    void navigate({
      to: '.',
      search: { ...search, page: undefined, ...changes },
      // The way back from here stays the same.
      state: true,
      replace,
      resetScroll: false,
    })
  }
  return { search, change }
}

/** A paged list whose page, search and sort stand in the address. */
export function useList<Row, Key extends QueryKey>(
  options: (search: ListSearch) => PageOptions<Row, Key>,
): List<Row> & { total?: number } {
  const { search, change } = useListSearch()
  const client = useQueryClient()
  const query = useQuery({ ...options(search), placeholderData: keepPreviousData })
  const { data, isPlaceholderData } = query
  const page = search.page ?? 1

  const lastPage = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / data.size)) : page
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is changed when the page is found empty, once
  useEffect(() => {
    if (page > lastPage) change({ page: lastPage > 1 ? lastPage : undefined }, { replace: true })
  }, [page, lastPage])

  return {
    // Rows of a page past the end are about to be replaced: still waiting, not empty.
    rows: page > lastPage ? undefined : data?.objects,
    total: data?.total,
    isChanging: isPlaceholderData,
    error: data === undefined ? query.error : null,
    retry: () => void query.refetch(),
    pages: data && {
      page,
      size: data.size,
      total: data.total,
      prefetch: (next) => void client.prefetchQuery(options({ ...search, page: next })),
    },
    sort: search.sort,
    sortBy: (sort) => change({ sort }),
  }
}

/** A list that comes whole. */
export function wholeList<Row>(query: UseQueryResult<Row[]>): List<Row> {
  return {
    rows: query.data,
    isChanging: false,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
  }
}
