import { type RefObject, useEffect, useRef } from 'react'

/** Returns the focus to a button that a loader replaced, unless it has moved elsewhere by then. */
export function useRestoreFocus(pending: boolean, button: RefObject<HTMLElement | null>) {
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !pending && isNowhere(document.activeElement)) button.current?.focus()
    wasPending.current = pending
  }, [pending, button])
}

/** A dialog that has been answered still fades, with the focus inside. */
function isNowhere(focused: Element | null) {
  return focused === null || focused === document.body || focused.closest('[aria-modal=true]') !== null
}
