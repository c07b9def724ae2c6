import { type KeyboardEvent, useEffect, useRef } from 'react'

const KEYS = ['ArrowDown', 'ArrowUp', 'Enter']

type SearchKeys = {
  isOpen: boolean
  /** Whether the options are those of the typed text. */
  isCurrent: boolean
  /** Chooses an option for the typed text. Called if none is highlighted. */
  onEnter: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** The `onKeyDownCapture` of a select that searches on the server: keys wait for the options of the typed text. */
export function useSearchKeys({ isOpen, isCurrent, onEnter }: SearchKeys) {
  const held = useRef<{ input: HTMLInputElement; keys: KeyboardEventInit[] }>(undefined)

  useEffect(() => {
    const { input, keys = [] } = held.current ?? {}
    if (!isCurrent) return
    held.current = undefined
    if (input !== document.activeElement) return
    for (const key of keys) input?.dispatchEvent(new window.KeyboardEvent('keydown', key))
  }, [isCurrent])

  return (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget: input, nativeEvent } = event
    if (nativeEvent.isComposing) return
    if (!KEYS.includes(key)) held.current = undefined
    else if (isOpen && !isCurrent) {
      event.preventDefault()
      event.stopPropagation()
      const init = { key, code: nativeEvent.code, bubbles: true, cancelable: true }
      held.current = { input, keys: [...(held.current?.keys ?? []), init] }
    } else if (key === 'Enter') {
      const list = document.getElementById(input.getAttribute('aria-controls') ?? '')
      if (!list?.querySelector('[data-combobox-selected]')) onEnter(event)
    }
  }
}
