import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'

/**
 * Before a form is submitted: moves the focus to its button, so that the field commits the typed text on blur. If it
 * cannot, returns false and leaves the focus on the field.
 */
export function finishTyping(form: HTMLFormElement) {
  const button = form.querySelector<HTMLElement>('button[type=submit]')
  flushSync(() => button?.focus({ preventScroll: true }))
  const unfinished = form.querySelector<HTMLElement>('[data-unfinished]')
  unfinished?.focus()
  return unfinished === null
}

/**
 * For the submit button. On blur a field may show an error below it, which would move the button between mouse down and
 * mouse up, and the click would miss it.
 */
export function keepFocus(event: MouseEvent) {
  event.preventDefault()
}
