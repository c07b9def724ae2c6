import type { MonitoredSource, SourceFilter } from '@watchdesk/contract/sources'
import { useState } from 'react'
import { type Selection, useSelection } from '../../ui/list/use-selection.ts'

/** The selected sources: the checked rows, or all that match the filter. */
export type SourceSelection = Selection<MonitoredSource> & {
  isAll: boolean
  count: number
  selectAll: () => void
}

/** `total` is the number of sources that match the filter. */
export function useAllSelection(filter: SourceFilter, total: number): SourceSelection {
  const selection = useSelection(
    ({ id }: MonitoredSource) => String(id),
    ({ url }) => `Select ${url}`,
  )
  // Another filter matches other sources: nobody has chosen these.
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
