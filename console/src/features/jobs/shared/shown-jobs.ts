/** The jobs whose state the current page shows: nobody needs another message when they end. */
const shown = new Set<number>()

export function isShown(id: number) {
  return shown.has(id)
}

/** Returns a function that ends it. */
export function showJob(id: number) {
  shown.add(id)
  return () => {
    shown.delete(id)
  }
}
