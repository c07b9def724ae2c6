import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'

/** Link props that prefetch the page's data on hover and focus. */
export function usePrefetch() {
  const client = useQueryClient()
  return <Data, Key extends QueryKey>(options: FetchQueryOptions<Data, Error, Data, Key>) => {
    const prefetch = () => void client.prefetchQuery(options)
    return { onMouseEnter: prefetch, onFocus: prefetch }
  }
}
