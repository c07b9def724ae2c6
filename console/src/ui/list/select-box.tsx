import type { ChangeEvent, MouseEvent } from 'react'
import classes from './select-box.module.css'
import type { Selection } from './use-selection.ts'

type BoxProps<Row> = { selection: Selection<Row>; rows: Row[] }

/** Selects a row, or with Shift all rows from the last one. */
export function SelectBox<Row>({ selection, rows, row }: BoxProps<Row> & { row: Row }) {
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        aria-label={selection.label(row)}
        checked={selection.has(row)}
        onMouseDown={keepText}
        onChange={(event: ChangeEvent<HTMLInputElement>) =>
          selection.toggle(row, rows, (event.nativeEvent as Partial<PointerEvent>).shiftKey === true)
        }
      />
    </label>
  )
}

/** Selects all rows of the page. */
export function SelectAllBox<Row>({ selection, rows }: BoxProps<Row>) {
  const count = rows.filter(selection.has).length
  const isEvery = rows.length > 0 && count === rows.length
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        aria-label="Select all on this page"
        checked={isEvery}
        disabled={rows.length === 0}
        ref={(input) => {
          if (input) input.indeterminate = count > 0 && !isEvery
        }}
        onChange={() => selection.toggleAll(rows)}
      />
    </label>
  )
}

/** A click with Shift would select the text between the rows. */
function keepText(event: MouseEvent) {
  if (event.shiftKey) event.preventDefault()
}
