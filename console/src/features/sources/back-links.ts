import { type PageAddress, usePreviousPage } from '../../ui/navigation/back-link.ts'

const SOURCES: PageAddress = { to: '/sources', search: {} }

/** The list of sources with its previous filters. */
export function useSourcesList(): PageAddress {
  const from = usePreviousPage()
  return [from, from?.before].find((place) => place?.to === SOURCES.to) ?? SOURCES
}
