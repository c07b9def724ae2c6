import type { PageQuery } from './page.ts'

/** What a list is searched, sorted and filtered by. The API's query, the page's address and its controls follow from it. */
export type ListOptions = {
  /** The label of the search box. A list without one cannot be searched. */
  search?: string
  /** The fields to sort by, upwards or downwards. */
  sorts?: readonly string[]
  /** Without a sort, rows come by id: the newest first, or the oldest. */
  isNewestFirst?: true
  /** The rows of one workspace or of several can be asked for. */
  byWorkspace?: true
  /** Choices among a few values, by their names in the query. */
  filters?: Readonly<Record<string, Filter>>
}

export type Filter = {
  label: string
  /** What it says while nothing is chosen. */
  placeholder: string
  /** The values, with the text of each. */
  options: Readonly<Record<string, string>>
}

export type SortField<List> = List extends { sorts: readonly (infer Field extends string)[] } ? Field : never
type Sort<List> = SortField<List> | `-${SortField<List>}`

type Chosen<List> = List extends { filters: infer Filters extends Record<string, Filter> }
  ? { [Name in keyof Filters]?: keyof Filters[Name]['options'] & string }
  : unknown

type Searched<List> = {
  search?: List extends { search: string } ? string : never
  /** `name` sorts upwards, `-name` downwards. */
  sort?: Sort<List>
} & Chosen<List>

/** What is asked of the API. */
export type ListQuery<List> = PageQuery &
  Searched<List> & { workspace_ids?: List extends { byWorkspace: true } ? number[] : never }

/** What stands in the address of the page. */
export type ListSearch<List> = Searched<List> & {
  page?: number
  workspace_id?: List extends { byWorkspace: true } ? number : never
}
