import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasUnsavedChanges } from '../navigation/use-leave-guard.ts'

/**
 * The initial data of an edit form: never a cached copy that is being refetched, and never replaced while there are
 * unsaved changes. `edition` is the form's key: it changes when the form starts again with other data.
 */
export function useInitialData<Loaded, Data, Key extends QueryKey>(options: UseQueryOptions<Loaded, Error, Data, Key>) {
  const { data, error, isFetching, refetch } = useQuery(options)
  const [given, setGiven] = useState<{ data: Data; edition: number }>()
  useEffect(() => {
    if (data !== undefined && !isFetching) setGiven((given) => given ?? { data, edition: 0 })
  }, [data, isFetching])

  function restart(data: Data) {
    setGiven((given) => ({ data, edition: (given?.edition ?? 0) + 1 }))
  }

  return {
    data: given?.data,
    edition: given?.edition,
    error: given === undefined && !isFetching ? error : null,
    retry: () => void refetch(),
    /** Starts again with the values that the form has just saved. */
    restart,
    /** Starts again with the current values, unless changes would be lost. */
    renew: async () => {
      const { data } = await refetch()
      if (data !== undefined && !hasUnsavedChanges()) restart(data)
    },
  }
}
