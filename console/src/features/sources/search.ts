import { integerParam } from '../../ui/navigation/search-params.ts'
import { historySearch } from '../activity/shared/history-search.ts'

const TABS = ['imports', 'history'] as const

/** The open tab; none for the details. A link to the history of the record opens its tab. */
export function sourceSearch(given: Record<string, unknown>): { tab?: (typeof TABS)[number]; history?: true } {
  return { tab: TABS.find((tab) => tab === given.tab), ...historySearch(given) }
}

/** The outcome and the page of the addresses that were looked up. */
export function findSearch(given: Record<string, unknown>): { outcome?: string; page?: number } {
  const page = integerParam(given.page)
  return {
    outcome: typeof given.outcome === 'string' ? given.outcome : undefined,
    page: page === 1 ? undefined : page,
  }
}
