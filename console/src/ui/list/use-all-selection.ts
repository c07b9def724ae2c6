import { useState } from 'react'
import { type Selection, useSelection } from './use-selection.ts'

/** The selected rows: those that were checked, or all that match the filter. */
export type AllSelection<Row> = Selection<Row> & {
  isAll: boolean
  count: number
  selectAll: () => void
}

type Options<Row> = {
  /** What tells a row from others in the name of its checkbox. */
  name: (row: Row) => string
  filter: object
  /** The number of rows that match the filter. */
  total: number
}

export function useAllSelection<Row extends { id: number }>({ name, filter, total }: Options<Row>): AllSelection<Row> {
  const selection = useSelection<Row>(
    ({ id }) => String(id),
    (row) => `Select ${name(row)}`,
  )
  // Another filter matches other rows: nobody has chosen these.
  const key = JSON.stringify(filter)
  const [allOf, setAllOf] = useState<string>()
  const isAll = allOf === key
  if (allOf !== undefined && !isAll) {
    setAllOf(undefined)
    selection.clear()
  }
  if (!isAll) {
    return { ...selection, isAll, count: selection.chosen.length, selectAll: () => setAllOf(key) }
  }

  function clear() {
    setAllOf(undefined)
    selection.clear()
  }
  return {
    ...selection,
    isAll,
    count: total,
    selectAll: () => {},
    has: () => true,
    // What is left is the page without this row, which can be seen; the others would be out of sight.
    toggle: (row, rows) => {
      setAllOf(undefined)
      selection.replace(rows.filter(({ id }) => id !== row.id))
    },
    toggleAll: clear,
    replace: (rows) => {
      setAllOf(undefined)
      selection.replace(rows)
    },
    clear,
  }
}
