import { useRef, useState } from 'react'

/** The rows that are selected in a table, also those on other pages. */
export type Selection<Row> = {
  chosen: Row[]
  has: (row: Row) => boolean
  /** A range reaches from the row that was selected last. */
  toggle: (row: Row, rows: Row[], isRange: boolean) => void
  toggleAll: (rows: Row[]) => void
  /** Selects these rows and no others. */
  replace: (rows: Row[]) => void
  clear: () => void
  /** The accessible name of a row's checkbox. */
  label: (row: Row) => string
}

export function useSelection<Row>(keyOf: (row: Row) => string, label: (row: Row) => string): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const last = useRef<string>(undefined)
  const has = (row: Row) => chosen.has(keyOf(row))

  function set(rows: Row[], isOn: boolean) {
    const next = new Map(chosen)
    for (const row of rows) {
      if (isOn) next.set(keyOf(row), row)
      else next.delete(keyOf(row))
    }
    setChosen(next)
  }

  return {
    chosen: [...chosen.values()],
    has,
    label,
    toggle(row, rows, isRange) {
      const from = isRange ? rows.findIndex((one) => keyOf(one) === last.current) : -1
      const to = rows.indexOf(row)
      last.current = keyOf(row)
      set(from === -1 ? [row] : rows.slice(Math.min(from, to), Math.max(from, to) + 1), !has(row))
    },
    toggleAll: (rows) => set(rows, !rows.every(has)),
    replace: (rows) => setChosen(new Map(rows.map((row) => [keyOf(row), row]))),
    clear: () => setChosen(new Map()),
  }
}
