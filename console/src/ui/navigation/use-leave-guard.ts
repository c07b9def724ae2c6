import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Asks whether to leave although changes would be lost. */
type Ask = () => Promise<boolean>

const guards = new Set<Ask>()
let isLeaving = false

/** Asks before leaving the page: by navigation, by closing the tab or by logging out. */
export function useLeaveGuard(isOn: () => boolean, ask: Ask) {
  const latest = useRef({ isOn, ask })
  latest.current = { isOn, ask }

  useEffect(() => {
    const guard = async () => !latest.current.isOn() || latest.current.ask()
    guards.add(guard)
    return () => {
      guards.delete(guard)
    }
  }, [])

  useBlocker({
    disabled: !isOn(),
    enableBeforeUnload: () => isOn() && !isLeaving,
    shouldBlockFn: async ({ current, next }) => {
      if (!isOn() || current.pathname === next.pathname) return false
      return !(await ask())
    },
  })
}

/** Whether the page can be left: there are no unsaved changes, or the user agrees. It does not ask again then. */
export async function canLeave() {
  for (const guard of guards) {
    if (!(await guard())) return false
  }
  isLeaving = true
  return true
}
