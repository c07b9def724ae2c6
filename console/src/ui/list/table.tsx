import { useMediaQuery } from '@mantine/hooks'
import { PAGE_SIZE } from '@watchdesk/contract/limits'
import type { CSSProperties, SyntheticEvent } from 'react'
import { Icon } from '../display/icon.tsx'
import { Failed } from '../feedback/failed.tsx'
import { type Column, columnsOf, type TableProps } from './columns.ts'
import { Fab } from './fab.tsx'
import { Pagination } from './pagination.tsx'
import { SortSelect } from './sort-select.tsx'
import classes from './table.module.css'
import { TableCards } from './table-cards.tsx'
import type { List } from './use-list.ts'

const NARROW = '(max-width: 47.99em)'

export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { list, empty, add } = props
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const Rows = isNarrow ? TableCards : Grid
  const isEmpty = list.rows?.length === 0
  const pages = list.error || isEmpty ? undefined : list.pages
  return (
    <div className={classes.sheet} aria-busy={!list.error && (list.rows === undefined || list.isChanging)}>
      {list.error ? (
        <div className={classes.instead}>
          <Failed error={list.error} retry={list.retry} />
        </div>
      ) : isEmpty ? (
        <div className={classes.instead}>
          <div className={classes.empty}>{empty}</div>
        </div>
      ) : (
        <>
          {isNarrow && list.rows && <SortSelect list={list} columns={props.columns} />}
          <Rows {...props} />
        </>
      )}
      {(pages || list.sortBy || add) && (
        <div className={classes.footer}>
          {pages && <Pagination {...pages} />}
          {add && <Fab {...add} />}
        </div>
      )}
    </div>
  )
}

function Grid<Row extends { id: number }>({ label, list, columns, actions, actionsWidth = '5rem' }: TableProps<Row>) {
  const entries = columnsOf(columns)
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label} onMouseOver={tellWhole} onFocus={tellWhole}>
        <thead>
          <tr>
            {entries.map(([heading, column]) => (
              <Heading key={heading} heading={heading} column={column} list={list} />
            ))}
            <th className={classes.actions} style={widthOf(actionsWidth)}>
              <span className={classes.hidden}>Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.rows?.map((row) => (
            <tr key={row.id}>
              {entries.map(([heading, { cell, tone, isWrapped }]) => (
                <td key={heading} data-tone={tone} data-wrapped={isWrapped}>
                  {cell(row)}
                </td>
              ))}
              <td className={classes.actions}>{actions(row)}</td>
            </tr>
          )) ?? <SkeletonRows columns={entries.length + 1} />}
        </tbody>
      </table>
    </div>
  )
}

/** As a variable, so that the style sheet can leave it out on paper. */
function widthOf(width: string | undefined) {
  return width === undefined ? undefined : ({ '--width': width } as CSSProperties)
}

type HeadingProps<Row> = { heading: string; column: Column<Row>; list: List<Row> }

function Heading<Row>({ heading, column: { sort, width }, list }: HeadingProps<Row>) {
  if (sort === undefined) {
    return (
      <th scope="col" style={widthOf(width)}>
        {heading}
      </th>
    )
  }
  // Lists that say nothing else come by id.
  const current = list.sort ?? 'id'
  const isUp = current === sort
  const isDown = current === `-${sort}`
  return (
    <th scope="col" style={widthOf(width)} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <button type="button" className={classes.sort} onClick={() => list.sortBy?.(isUp ? `-${sort}` : sort)}>
        {heading}
        <Icon name={isUp ? 'chevron-up' : isDown ? 'chevron-down' : 'sort'} size={14} />
      </button>
    </th>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: PAGE_SIZE }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing but its place tells one from another
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing but its place tells one from another
        <td key={column}>
          <span className={classes.bone} style={{ width: `${45 + ((row * 7 + column * 13) % 40)}%` }} />
        </td>
      ))}
    </tr>
  ))
}

/** A cut text tells the whole in a tooltip. */
function tellWhole({ target }: SyntheticEvent) {
  const cell = target instanceof Element ? target.closest('td') : null
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : ''
}
