import { type RefObject, useEffect, useRef } from 'react'

/** Returns the focus to a button that a loader replaced, unless it has moved elsewhere. */
export function useRestoreFocus(pending: boolean, button: RefObject<HTMLElement | null>) {
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !pending && isFocusLost(document.activeElement)) button.current?.focus()
    wasPending.current = pending
  }, [pending, button])
}

/** A closed dialog still contains the focus while it fades out. */
function isFocusLost(focused: Element | null) {
  return focused === null || focused === document.body || focused.closest('[aria-modal=true]') !== null
}
