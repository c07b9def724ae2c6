/** Restoring removes the row with the focused button. Without this, the keyboard starts again at the top of the page. */
export function keepFocus() {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  })
}
