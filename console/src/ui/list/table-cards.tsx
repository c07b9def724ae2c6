import { type Column, shownColumns, type TableProps } from './columns.ts'
import { SelectBox } from './select-box.tsx'
import classes from './table-cards.module.css'

const SKELETONS = 8

/** The rows of a table as cards, on a narrow screen. */
export function TableCards<Row extends { id: number }>(props: TableProps<Row>) {
  const { label, list, actions, keyOf, selection } = props
  const at = (place: Column<Row>['card']) => shownColumns(props).filter(([, { card = 'line' }]) => card === place)
  if (!list.rows) {
    return Array.from({ length: SKELETONS }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the index is its only identity
      <div key={index} className={classes.card} aria-hidden="true">
        <span className={classes.bone} />
      </div>
    ))
  }
  const { rows } = list
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf?.(row) ?? row.id} className={classes.card} data-selectable={selection && true}>
          {selection && (
            <div className={classes.select}>
              <SelectBox selection={selection} rows={rows} row={row} />
            </div>
          )}
          <div className={classes.title}>{at('title').map((entry) => part(entry, row))}</div>
          <div className={classes.line}>{at('line').map((entry) => part(entry, row))}</div>
          <div className={classes.tags}>{at('tags').map((entry) => part(entry, row))}</div>
          {actions && <div className={classes.actions}>{actions(row)}</div>}
        </li>
      ))}
    </ul>
  )
}

function part<Row>([field, { heading, cell, isNamedOnCards }]: [string, Column<Row>], row: Row) {
  const content = cell(row)
  if (content === null || content === undefined || content === '' || content === false) return null
  return (
    <span key={field} className={classes.part}>
      {isNamedOnCards && `${heading} `}
      {content}
    </span>
  )
}
