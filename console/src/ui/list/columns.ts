import type { SortField } from '@watchdesk/contract/list'
import type { ReactNode } from 'react'
import type { FabProps } from './fab.tsx'
import type { List } from './use-list.ts'

type Cell<Row> = (row: Row) => ReactNode

export type Column<Row> = {
  heading: string
  cell: Cell<Row>
  /** A CSS width; columns without one share what is left. */
  width?: string
  /** Where a narrow screen's card shows it: as its title, among its tags or on its second line (the default). */
  card?: 'title' | 'tags' | 'line'
  /** On a card its heading comes first: the value alone would not say what it is. */
  isNamedOnCards?: boolean
  /** Shows long texts whole, on several lines; a column without it cuts them. */
  isWrapped?: boolean
  /** Set off from plain text: what one looks for, and what one seldom needs. */
  tone?: 'strong' | 'soft'
}

/** Keys are field names. The heading of a field that the list can be sorted by is a button; none of these may be missing. */
export type Columns<Row, List = unknown> = Record<SortField<List>, Column<Row>> & Record<string, Column<Row>>

export type TableProps<Row> = {
  /** What it lists, for those who do not see it. */
  label: string
  list: List<Row>
  columns: Columns<Row>
  /** Links and buttons of one row. They stay in view however wide the table is. */
  actions?: Cell<Row>
  /** Room for two icons unless told. */
  actionsWidth?: string
  /** What would be here, and the one button that changes it. */
  empty: ReactNode
  /** Where its floating button leads. */
  add?: FabProps
}
