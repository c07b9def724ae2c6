import type { PageQuery } from './page.ts'

/** The API query, the page address and the controls of a list are derived from these. */
export type ListOptions = {
  /** The label of the search field. A list without it cannot be searched. */
  search?: string
  sorts?: readonly string[]
  /** Descending ids when no sort is set, instead of ascending. */
  isNewestFirst?: true
  byWorkspace?: true
  /** Shown unless others are chosen, and those that can be chosen in addition. */
  columns?: readonly string[]
  moreColumns?: readonly string[]
  /** Filters with a fixed set of values, by query parameter. */
  filters?: Readonly<Record<string, Filter>>
  values?: Readonly<Record<string, ValueFilter>>
  /** Computed fields, only returned if the query asks for them. */
  include?: readonly string[]
}

export type Filter = {
  label: string
  placeholder: string
  /** The values and their labels. */
  options: Readonly<Record<string, string>>
  /** Rows with any of the chosen values match. */
  isMultiple?: true
}

// @__NO_SIDE_EFFECTS__
export function unlabeled<Value extends string>(values: readonly Value[]) {
  return Object.fromEntries(values.map((value) => [value, value])) as { [Name in Value]: Name }
}

// @__NO_SIDE_EFFECTS__
export function keysOf<Key extends string>(options: Readonly<Record<Key, unknown>>) {
  return Object.keys(options) as Key[]
}

// @__NO_SIDE_EFFECTS__
export function pick<From, Key extends keyof From>(from: From, keys: readonly Key[]) {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<From, Key>
}

export type ValueFilter = {
  label: string
  /** The id of a record, a day such as `2026-11-17`, the code of a country or `none`, a name, or 0 to 100. */
  kind: keyof FilterValues
}

type FilterValues = { id: number; day: string; country: string; name: string; percent: number }

export const NO_COUNTRY = 'none'
export const FILTER_DAY = /^\d{4}-\d{2}-\d{2}$/
export const FILTER_COUNTRY = /^(?:[A-Z]{2}|none)$/

export type SortField<List> = List extends { sorts: readonly (infer Field extends string)[] } ? Field : never

type Choice<Of extends Filter> = keyof Of['options'] & string

/** `Multiple` is the type of several chosen values, by default a list of them. */
type ChosenFilters<List, Multiple = never> = List extends { filters: infer Filters extends Record<string, Filter> }
  ? {
      [Name in keyof Filters]?: Filters[Name] extends { isMultiple: true }
        ? [Multiple] extends [never]
          ? Choice<Filters[Name]>[]
          : Multiple
        : Choice<Filters[Name]>
    }
  : unknown

type Entered<List> = List extends { values: infer Values extends Record<string, ValueFilter> }
  ? { [Name in keyof Values]?: FilterValues[Values[Name]['kind']] }
  : unknown

type Included<List> = List extends { include: readonly (infer Field extends string)[] }
  ? { include?: Field[] }
  : unknown

type Searched<List> = { search?: List extends { search: string } ? string : never } & Entered<List>

/** `name` sorts ascending, `-name` descending. */
type Sorted<List> = { sort?: SortField<List> | `-${SortField<List>}` }

type Workspaces<List, Value> = List extends { byWorkspace: true } ? Value : never

export type ListFilter<List> = Searched<List> & ChosenFilters<List> & { workspace_ids?: Workspaces<List, number[]> }

export type ListQuery<List> = PageQuery & ListFilter<List> & Sorted<List> & Included<List>

export type FileQuery<List> = ListFilter<List> & Sorted<List> & { columns?: ColumnOf<List>[]; format: 'csv' | 'xlsx' }

type Names<List, Field extends string> =
  List extends Record<Field, readonly (infer Name extends string)[]> ? Name : never
export type ColumnOf<List> = Names<List, 'columns'> | Names<List, 'moreColumns'>

/** The query parameters in the page address. Several values are separated by commas. */
export type ListSearch<List> = Searched<List> &
  Sorted<List> &
  ChosenFilters<List, string> & {
    page?: number
    workspace_id?: Workspaces<List, number>
    /** More than one. */
    workspace_ids?: Workspaces<List, string>
    columns?: List extends { columns: readonly string[] } ? string : never
  }

export function columnsOf({ columns = [], moreColumns = [] }: ListOptions) {
  return [...columns, ...moreColumns]
}
