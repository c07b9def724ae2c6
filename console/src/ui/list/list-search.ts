import {
  columnsOf,
  FILTER_COUNTRY,
  FILTER_DAY,
  type ListFilter,
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
export function listSearch(list: ListOptions) {
  const { search, sorts = [], byWorkspace, filters = {}, values = {} } = list
  const allSorts = sorts.flatMap((field) => [field, `-${field}`])
  return (given: Search) => {
    const page = integerParam(given.page)
    const chosen = Object.entries(filters).map(([name, { options, isMultiple }]) => [
      name,
      (isMultiple ? someOf : oneOf)(Object.keys(options), given[name]),
    ])
    return {
      page: page === 1 ? undefined : page,
      search: search && textParam(given.search),
      sort: oneOf(allSorts, given.sort),
      workspace_id: byWorkspace && integerParam(given.workspace_id),
      workspace_ids: byWorkspace && integersParam(given.workspace_ids),
      columns: list.columns && someOf(columnsOf(list), given.columns),
      ...Object.fromEntries(chosen),
      ...Object.fromEntries(Object.entries(values).map(([name, { kind }]) => [name, VALUES[kind](given[name])])),
    }
  }
}

const VALUES: Record<ValueFilter['kind'], (given: unknown) => unknown> = {
  id: integerParam,
  day: (given) => matching(FILTER_DAY, given),
  country: (given) => matching(FILTER_COUNTRY, given),
  name: textParam,
  percent: (given) => (textParam(given)?.match(/^\d{1,2}$|^100$/) ? Number(given) : undefined),
}

function matching(pattern: RegExp, given: unknown) {
  return typeof given === 'string' && pattern.test(given) ? given : undefined
}

function oneOf(values: string[], given: unknown) {
  return values.find((value) => value === given)
}

/** Several values are separated by commas in the address. */
function someOf(values: string[], given: unknown) {
  const chosen = [...new Set(String(given).split(','))].filter((value) => values.includes(value))
  return chosen.join(',') || undefined
}

function integersParam(given: unknown) {
  const ids = String(given).split(',').map(integerParam)
  return ids.every((id) => id !== undefined) ? [...new Set(ids)].join(',') : undefined
}

type Given = { workspace_id?: number; workspace_ids?: string; [name: string]: unknown }

/** The search params as an API query. */
export function listQuery<List extends ListOptions>(list: List, search: ListSearch<List>): ListQuery<List>
export function listQuery({ filters = {} }: ListOptions, { workspace_id, workspace_ids, columns: _, ...rest }: Given) {
  const multiple = Object.keys(filters).filter((name) => filters[name]?.isMultiple && rest[name] !== undefined)
  const ids = workspace_ids ? workspace_ids.split(',').map(Number) : workspace_id ? [workspace_id] : undefined
  return {
    ...rest,
    workspace_ids: ids,
    ...Object.fromEntries(multiple.map((name) => [name, String(rest[name]).split(',')])),
  }
}

/** The filters in the search params, as a change or a file of all rows that match takes them. */
export function listFilter<List extends ListOptions>(list: List, search: ListSearch<List>): ListFilter<List> {
  const { page: _, sort: __, ...filter } = listQuery(list, search)
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as ListFilter<List>
}
