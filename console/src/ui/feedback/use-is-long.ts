import { useEffect, useState } from 'react'

const LONG_MS = 5_000

/** Whether something has been running for so long that the page should say that it can be left. */
export function useIsLong(isRunning: boolean) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isRunning])
  return isLong
}
