import { queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { ApiError, call } from './call.ts'

export type Probe = Pick<Endpoint, 'method' | 'url' | 'config'>

/**
 * Whether the backend has a call: others may have only those of the specification, and respond with 404. Asked once per
 * session. Any other failure says nothing about the backend.
 */
export function hasCallQuery(probe: Probe) {
  const key = `has ${probe.url}`
  return queryOptions({
    queryKey: ['has call', probe.url],
    queryFn: async ({ signal }) => {
      const known = sessionStorage.getItem(key)
      if (known !== null) return known === 'true'
      const has = await ask(probe, signal)
      sessionStorage.setItem(key, String(has))
      return has
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

async function ask(probe: Probe, signal: AbortSignal) {
  const url: Endpoint['url'] = `${probe.url}?page_size=1`
  const error = await call({ ...probe, url }, { signal, signInAgain: false }).then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (error instanceof ApiError && error.status === 404) return false
  if (error !== undefined) throw error
  return true
}
