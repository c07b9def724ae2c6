import { useRouter, useSearch } from '@tanstack/react-router'
import type { ShownColumns } from './shared/use-columns.ts'

/** What is shown as the query of an address, which is what a view keeps, and the address of a view. */
export function useAddress({ list, shown }: ShownColumns) {
  const { parseSearch, stringifySearch } = useRouter().options
  const { page: _, ...search } = useSearch({ strict: false })
  const current = stringifySearch({ ...search, columns: shown.join(',') }).slice(1)
  return {
    current,
    searchOf: (query: string) => parseSearch(query),
    addressOf: (query: string) => `${window.location.origin}/${list}?${query}`,
  }
}
