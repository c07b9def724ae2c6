import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** The initial data of an edit form: never a cached copy that is being refetched, and never replaced later. */
export function useInitialData<Data, Key extends QueryKey>(options: UseQueryOptions<Data, Error, Data, Key>) {
  const { data, error, isFetching, refetch } = useQuery(options)
  const [first, setFirst] = useState<Data>()
  useEffect(() => {
    if (data !== undefined && !isFetching) setFirst((given) => given ?? data)
  }, [data, isFetching])
  return { data: first, error: first === undefined && !isFetching ? error : null, retry: () => void refetch() }
}
