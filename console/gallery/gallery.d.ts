interface Window {
  /** For component tests: opens the console again and again in one page, which is faster than to load it each time. */
  gallery: { open: (address: string) => void; close: () => void }
}
