import { textParam } from '../../ui/navigation/search-params.ts'

/** Which rows of a sheet are shown. */
export function outcomeSearch(given: Record<string, unknown>): { outcome?: string } {
  return { outcome: textParam(given.outcome) }
}
