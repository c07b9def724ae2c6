import type { ActivitySearch } from './search.ts'

/**
 * The filters in the address as they are. The page ignores unknown ones: what it knows about them would be loaded with
 * every other page too.
 */
export function activityAddress(given: Record<string, unknown>): ActivitySearch {
  return given
}
