import { queryOptions, useQueries } from '@tanstack/react-query'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../api/call.ts'

type Probe = Pick<Endpoint, 'method' | 'url' | 'config'>

/**
 * The calls that the backend does not have: others may have only those of the specification, and respond with 404.
 * Asked once per session, when the browser is idle. Any other failure says nothing about the backend.
 */
export function useMissingCalls(probes: Probe[]): Set<string> {
  const isIdle = useIdle()
  const results = useQueries({ queries: probes.map((probe) => ({ ...probeQuery(probe), enabled: isIdle })) })
  return new Set(probes.flatMap(({ url }, index) => (results[index]?.data === false ? [url] : [])))
}

/** Whether the backend has the call. */
function probeQuery(probe: Probe) {
  const key = `has ${probe.url}`
  return queryOptions({
    queryKey: ['menu', probe.url],
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

/** After the page has loaded what it needs. */
function useIdle() {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), 1_000)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(() => setIdle(true), { timeout: 3_000 })
    return () => cancelIdleCallback(idle)
  }, [])
  return isIdle
}
