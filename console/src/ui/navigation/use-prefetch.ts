import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'

/** Props of a link that fetch what its page will show as soon as someone is about to go there. */
export function usePrefetch() {
  const client = useQueryClient()
  return <Data, Key extends QueryKey>(options: FetchQueryOptions<Data, Error, Data, Key>) => {
    const prefetch = () => void client.prefetchQuery(options)
    return { onMouseEnter: prefetch, onFocus: prefetch }
  }
}
