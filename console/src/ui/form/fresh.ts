import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** What an edit form starts from: never a copy that is just being replaced, and the same until the form is left. */
export function useFresh<Data, Key extends QueryKey>(options: UseQueryOptions<Data, Error, Data, Key>) {
  const { data, error, isFetching, refetch } = useQuery(options)
  const [first, setFirst] = useState<Data>()
  useEffect(() => {
    if (data !== undefined && !isFetching) setFirst((given) => given ?? data)
  }, [data, isFetching])
  return { data: first, error: first === undefined && !isFetching ? error : null, retry: () => void refetch() }
}
