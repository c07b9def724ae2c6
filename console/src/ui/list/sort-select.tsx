import { type Columns, columnsOf } from './columns.ts'
import classes from './sort-select.module.css'
import type { List } from './use-list.ts'

/** Sorting where there are no headings to click. */
export function SortSelect<Row>({ list, columns }: { list: List<Row>; columns: Columns<Row> }) {
  const sorts = columnsOf(columns).flatMap(([heading, { sort }]) => (sort === undefined ? [] : [{ heading, sort }]))
  if (!list.sortBy || sorts.length === 0) return null
  return (
    <label className={classes.sort}>
      Sort by
      <select
        className={classes.select}
        value={list.sort ?? 'id'}
        onChange={(event) => list.sortBy?.(event.currentTarget.value)}
      >
        {sorts.flatMap(({ heading, sort }) => [
          <option key={sort} value={sort}>
            {heading}, ascending
          </option>,
          <option key={`-${sort}`} value={`-${sort}`}>
            {heading}, descending
          </option>,
        ])}
      </select>
    </label>
  )
}
