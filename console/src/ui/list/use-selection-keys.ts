import { type RefObject, useRef } from 'react'
import { isTyping, useKeyDown } from '../navigation/shortcuts.ts'

/** `,` moves the focus from the rows to the bar for the selected ones, as in Gmail. Escape moves it back. */
export function useSelectionKeys(table: RefObject<HTMLElement | null>) {
  const last = useRef<HTMLElement>(null)
  useKeyDown(({ key, target, ctrlKey, metaKey, altKey }) => {
    const bar = table.current?.querySelector('[data-selection-bar]')
    if (!bar || !(target instanceof HTMLElement) || !table.current?.contains(target)) return
    const isInBar = bar.contains(target)
    if (key === ',' && !isInBar && !ctrlKey && !metaKey && !altKey && !isTyping(target)) {
      last.current = target
      bar.querySelector('button')?.focus()
    }
    if (key === 'Escape' && isInBar) {
      const isThere = last.current?.isConnected
      const row = isThere ? last.current : [...table.current.querySelectorAll<HTMLElement>('input:checked')].at(-1)
      row?.focus()
    }
  })
}
