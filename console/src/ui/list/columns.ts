import type { SortField } from '@watchdesk/contract/list'
import type { ReactNode } from 'react'
import type { FabProps } from './fab.tsx'
import type { List } from './use-list.ts'
import type { Selection } from './use-selection.ts'

type Cell<Row> = (row: Row) => ReactNode

export type Column<Row> = {
  heading: string
  cell: Cell<Row>
  /** A width in rem or %; columns without one share the remaining width. */
  width?: string
  /** The least width in rem of a column that shares the remaining width. */
  least?: string
  /** Where a card shows it on a narrow screen: as the title, among the tags, on the second line (the default) or nowhere. */
  card?: 'title' | 'tags' | 'line' | 'none'
  /** Shows the heading on a card too, if the value alone is unclear. */
  isNamedOnCards?: boolean
  /** Wraps long texts; without it they are truncated. For what identifies a row: a tooltip needs a mouse and cannot be copied. */
  isWrapped?: boolean
  /** Emphasized or muted text. */
  tone?: 'strong' | 'soft'
}

/** Keys are field names. Every field that the list can be sorted by needs a heading, which becomes a button. */
export type Columns<Row, List = unknown> = Record<SortField<List>, Column<Row>> & Record<string, Column<Row>>

export function shownColumns<Row>({ columns, shown }: Pick<TableProps<Row>, 'columns' | 'shown'>) {
  if (!shown) return Object.entries(columns)
  return shown.flatMap((name): [string, Column<Row>][] => (columns[name] ? [[name, columns[name]]] : []))
}

export type TableProps<Row> = {
  /** The accessible name of the table. */
  label: string
  list: List<Row>
  columns: Columns<Row>
  /** The names of the columns to show, in their order; all of them without it. */
  shown?: readonly string[]
  /** The links and buttons of a row. They stay visible when the table scrolls horizontally. */
  actions?: Cell<Row>
  /** The width of the actions column; fits two icons by default. */
  actionsWidth?: string
  /** The empty state: what will appear here, and a button to create it. */
  empty: ReactNode
  /** The target of the floating button. */
  add?: FabProps
  /** Identifies a row, if its id alone does not. */
  keyOf?: (row: Row) => string
  /** Adds checkboxes, and the bar below the rows while any are selected. */
  selection?: Selection<Row>
  bar?: ReactNode
}
