import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Asks whether to leave although changes would be lost. */
type Ask = () => Promise<boolean>

type Guard = { isOn: () => boolean; ask: Ask }

/** Those of the open forms, as refs. */
const guards = new Set<{ current: Guard }>()
let isLeaving = false

/** Asks before leaving the page: by navigation, by closing the tab or by logging out. */
export function useLeaveGuard(isOn: () => boolean, ask: Ask) {
  const latest = useRef({ isOn, ask })
  latest.current = { isOn, ask }

  useEffect(() => {
    guards.add(latest)
    return () => {
      guards.delete(latest)
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

/** Whether there is an open form with unsaved changes. */
export function hasUnsavedChanges() {
  return [...guards].some(({ current }) => current.isOn())
}

/** Whether the page can be left: there are no unsaved changes, or the user agrees. It does not ask again then. */
export async function canLeave() {
  for (const { current } of guards) {
    if (current.isOn() && !(await current.ask())) return false
  }
  leaveWithoutAsking()
  return true
}

/** For a page that has to be left even if changes are lost. */
export function leaveWithoutAsking() {
  isLeaving = true
}
