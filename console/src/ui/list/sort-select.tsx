import type { Columns } from './columns.ts'
import classes from './sort-select.module.css'
import type { Sorting } from './use-list.ts'

/** Sorting on screens without table headings. */
export function SortSelect<Row>({ fields, current, sortBy, columns }: Sorting & { columns: Columns<Row> }) {
  if (fields.length === 0) return null
  return (
    <label className={classes.sort}>
      Sort by
      <select className={classes.select} value={current} onChange={(event) => sortBy(event.currentTarget.value)}>
        {fields.flatMap((field) => [
          <option key={field} value={field}>
            {columns[field]?.heading}, ascending
          </option>,
          <option key={`-${field}`} value={`-${field}`}>
            {columns[field]?.heading}, descending
          </option>,
        ])}
      </select>
    </label>
  )
}
