import { type RefObject, useEffect, useRef } from 'react'

/** Gives the focus back to a button that a loader took the place of, unless it is elsewhere by then. */
export function useFocusKept(pending: boolean, button: RefObject<HTMLElement | null>) {
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !pending && document.activeElement === document.body) button.current?.focus()
    wasPending.current = pending
  }, [pending, button])
}
