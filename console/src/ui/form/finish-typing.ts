import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'

/**
 * Before a form is sent: moves the focus to its button, so that a field takes what was typed into it, as it does when it
 * is left. False, with the focus on the field, when it cannot.
 */
export function finishTyping(form: HTMLFormElement) {
  const button = form.querySelector<HTMLElement>('button[type=submit]')
  flushSync(() => button?.focus({ preventScroll: true }))
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
