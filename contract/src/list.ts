import type { PageQuery } from './page.ts'

/**
 * The options of a list for searching, sorting and filtering. The API query, the page address and the controls are
 * derived from them.
 */
export type ListOptions = {
  /** The label of the search field. A list without it cannot be searched. */
  search?: string
  /** The sortable fields, ascending or descending. */
  sorts?: readonly string[]
  /** Whether rows are in descending order of id when no sort is set, instead of ascending. */
  isNewestFirst?: true
  /** Whether the list can be filtered by one or more workspaces. */
  byWorkspace?: true
  /** Filters with a fixed set of values, by query parameter. */
  filters?: Readonly<Record<string, Filter>>
  /** Filters with any value of a kind, by query parameter. */
  values?: Readonly<Record<string, ValueFilter>>
}

export type Filter = {
  label: string
  /** The label when no value is chosen. */
  placeholder: string
  /** The values and their labels. */
  options: Readonly<Record<string, string>>
}

export type ValueFilter = {
  label: string
  /** The id of a record, a day such as `2026-11-17`, or the code of a country or `none`. */
  kind: keyof FilterValues
}

type FilterValues = { id: number; day: string; country: string }

export const NO_COUNTRY = 'none'
export const FILTER_DAY = /^\d{4}-\d{2}-\d{2}$/
export const FILTER_COUNTRY = /^(?:[A-Z]{2}|none)$/

export type SortField<List> = List extends { sorts: readonly (infer Field extends string)[] } ? Field : never
type Sort<List> = SortField<List> | `-${SortField<List>}`

type Chosen<List> = List extends { filters: infer Filters extends Record<string, Filter> }
  ? { [Name in keyof Filters]?: keyof Filters[Name]['options'] & string }
  : unknown

type Entered<List> = List extends { values: infer Values extends Record<string, ValueFilter> }
  ? { [Name in keyof Values]?: FilterValues[Values[Name]['kind']] }
  : unknown

type Searched<List> = {
  search?: List extends { search: string } ? string : never
  /** `name` sorts ascending, `-name` descending. */
  sort?: Sort<List>
} & Chosen<List> &
  Entered<List>

/** The query of the API call. */
export type ListQuery<List> = PageQuery &
  Searched<List> & { workspace_ids?: List extends { byWorkspace: true } ? number[] : never }

/** The query parameters in the page address. */
export type ListSearch<List> = Searched<List> & {
  page?: number
  workspace_id?: List extends { byWorkspace: true } ? number : never
}
