const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** The English name of a country, by its ISO code. The browser knows them, so that no list needs to be loaded. */
export function countryName(code: string) {
  // Unknown codes are shown as they are; the browser throws for what cannot be one.
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}
