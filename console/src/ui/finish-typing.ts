import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'

/**
 * Before a form is sent: lets the field that has the focus take what was typed into it, as it does when it is left.
 * False, with the focus on the field, when it cannot.
 */
export function finishTyping(form: HTMLFormElement) {
  const focused = document.activeElement
  if (focused instanceof HTMLInputElement && form.contains(focused)) flushSync(() => focused.blur())
  const unfinished = form.querySelector<HTMLElement>('[data-unfinished]')
  unfinished?.focus()
  return unfinished === null
}

/**
 * For the button that sends the form. A field that is left says what is wrong with it: the line below it would push the
 * button away between the press and the release, and the click would miss it.
 */
export function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
