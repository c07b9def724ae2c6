import {
  FILTER_COUNTRY,
  FILTER_DAY,
  type ListOptions,
  type ListQuery,
  type ListSearch,
  type ValueFilter,
} from '@watchdesk/contract/list'
import { integerParam, textParam } from '../navigation/search-params.ts'

type Search = Record<string, unknown>

/**
 * Parses a list's search params, so that back, reload and shared links show the same rows. Unknown values are set to
 * undefined, because the router keeps keys that are left out.
 */
export function listSearch<List extends ListOptions>(list: List): (given: Search) => ListSearch<List>
export function listSearch({ search, sorts = [], byWorkspace, filters = {}, values = {} }: ListOptions) {
  const allSorts = sorts.flatMap((field) => [field, `-${field}`])
  return (given: Search) => {
    const page = integerParam(given.page)
    const chosen = Object.entries(filters).map(([name, { options }]) => [
      name,
      oneOf(Object.keys(options), given[name]),
    ])
    return {
      page: page === 1 ? undefined : page,
      search: search && textParam(given.search),
      sort: oneOf(allSorts, given.sort),
      workspace_id: byWorkspace && integerParam(given.workspace_id),
      ...Object.fromEntries(chosen),
      ...Object.fromEntries(Object.entries(values).map(([name, { kind }]) => [name, VALUES[kind](given[name])])),
    }
  }
}

const VALUES: Record<ValueFilter['kind'], (given: unknown) => unknown> = {
  id: integerParam,
  day: (given) => matching(FILTER_DAY, given),
  country: (given) => matching(FILTER_COUNTRY, given),
}

function matching(pattern: RegExp, given: unknown) {
  return typeof given === 'string' && pattern.test(given) ? given : undefined
}

function oneOf(values: string[], given: unknown) {
  return values.find((value) => value === given)
}

/** The search params as an API query. */
export function listQuery<List>(search: ListSearch<List>): ListQuery<List>
export function listQuery({ workspace_id, ...rest }: { workspace_id?: number }) {
  return { ...rest, workspace_ids: workspace_id ? [workspace_id] : undefined }
}
