import { useState } from 'react'
import { useLeaveGuard } from './use-leave-guard.ts'

/**
 * Keeps what is shown only once on the screen until it is saved: Back does nothing, and the browser asks before the tab
 * is closed or reloaded. Returns whether the user tried to leave, which the page should explain.
 */
export function useShownOnce(isShown: boolean) {
  const [hasTried, setTried] = useState(false)
  useLeaveGuard(
    () => isShown,
    async () => {
      setTried(true)
      return false
    },
  )
  return isShown && hasTried
}
