import { type RefObject, useEffect, useRef } from 'react'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The text of a tooltip, and the value of `aria-keyshortcuts`. */
export const SAVE_KEY = IS_APPLE ? { label: '⌘S', aria: 'Meta+S' } : { label: 'Ctrl+S', aria: 'Control+S' }

/** `/` focuses the search box. */
export function useSearchKey(input: RefObject<HTMLInputElement | null>) {
  useKeyDown((event) => {
    const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key !== '/' || !isAlone || isTyping(event.target) || isDialogOpen()) return
    event.preventDefault()
    input.current?.select()
  })
}

/** Ctrl+S or Cmd+S submits the form. */
export function useSaveKey(form: RefObject<HTMLFormElement | null>) {
  useKeyDown((event) => {
    if (!isSaveKey(event)) return
    // The browser would open its own Save dialog.
    event.preventDefault()
    if (isDialogOpen()) return
    form.current?.requestSubmit()
  })
}

export function useKeyDown(listener: (event: KeyboardEvent) => void) {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** By letter, or by key position if the keyboard layout has another alphabet. */
function isSaveKey({ ctrlKey, metaKey, altKey, shiftKey, key, code }: KeyboardEvent) {
  const isLatin = /^[a-z]$/i.test(key)
  return (ctrlKey || metaKey) && !altKey && !shiftKey && (isLatin ? key.toLowerCase() === 's' : code === 'KeyS')
}

export function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  )
}

function isDialogOpen() {
  return document.querySelector('[aria-modal=true]') !== null
}
