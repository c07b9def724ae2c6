/** After this, a closed dialog is gone. */
const FRAMES = 60

/**
 * For actions that remove the focused button, or the one that a dialog returns the focus to. Without this, the keyboard
 * starts again at the top of the page.
 */
export function keepFocus(frames = FRAMES) {
  requestAnimationFrame(() => {
    const focused = document.activeElement
    // It contains the focus while it fades out.
    if (focused?.closest('[aria-modal=true]') && frames > 0) keepFocus(frames - 1)
    else if (focused === document.body) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  })
}
