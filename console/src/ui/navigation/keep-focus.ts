/** After this, a closed dialog, a message or a row is gone. */
const FRAMES = 60

/**
 * For actions that remove the focused button, or the one that a dialog returns the focus to. Without this, the keyboard
 * starts again at the top of the page.
 */
export function keepFocus(selector = 'main h1', frames = FRAMES) {
  requestAnimationFrame(() => {
    // What contains the focus may fade out, or wait for the list without it.
    if (document.activeElement !== document.body) return frames > 0 && keepFocus(selector, frames - 1)
    document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  })
}
