import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasCallQuery, type Probe } from '../api/has-call.ts'

/** The calls that the backend does not have. Asked when the browser is idle. */
export function useMissingCalls(probes: Probe[]): Set<string> {
  const isIdle = useIdle()
  const results = useQueries({ queries: probes.map((probe) => ({ ...hasCallQuery(probe), enabled: isIdle })) })
  return new Set(probes.flatMap(({ url }, index) => (results[index]?.data === false ? [url] : [])))
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
