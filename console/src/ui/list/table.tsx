import { useMediaQuery } from '@mantine/hooks'
import { PAGE_SIZE } from '@watchdesk/contract/limits'
import { type CSSProperties, type ReactNode, type SyntheticEvent, useRef } from 'react'
import { Icon } from '../display/icon.tsx'
import { Failed } from '../feedback/failed.tsx'
import { useCanChange } from '../page/can-change.tsx'
import { type Column, shownColumns, type TableProps } from './columns.ts'
import { Fab } from './fab.tsx'
import { Pagination } from './pagination.tsx'
import { SelectAllBox, SelectBox } from './select-box.tsx'
import { SortSelect } from './sort-select.tsx'
import classes from './table.module.css'
import { TableCards } from './table-cards.tsx'
import type { Sorting } from './use-list.ts'
import { useSelectionKeys } from './use-selection-keys.ts'

/** At least this wide. */
const TITLE_WIDTH = '8rem'
/** The room for a box in the first column. */
const BOX_WIDTH = '2.25rem'
const NARROW = '(max-width: 47.99em)'

export function Table<Row extends { id: number }>(given: TableProps<Row>) {
  // Rows are added and selected to change something.
  const props = useCanChange() ? given : { ...given, add: undefined, selection: undefined }
  const { list, empty, add, selection, bar } = props
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const Rows = isNarrow ? TableCards : Grid
  const isEmpty = list.rows?.length === 0
  const pages = list.error || isEmpty ? undefined : list.pages
  const isSelecting = selection !== undefined && selection.chosen.length > 0
  const sheet = useRef<HTMLDivElement>(null)
  useSelectionKeys(sheet)
  return (
    <div
      ref={sheet}
      className={classes.sheet}
      data-selecting={isSelecting || undefined}
      aria-busy={!list.error && (list.rows === undefined || list.isChanging)}
    >
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
          {isNarrow && list.rows && list.sorting && <SortSelect {...list.sorting} columns={props.columns} />}
          <Rows {...props} />
        </>
      )}
      <div className={classes.bottom}>
        {isSelecting && bar}
        {(pages || list.sorting || add) && (
          <div className={classes.footer}>
            {pages && <Pagination {...pages} />}
            {add && <Fab {...add} />}
          </div>
        )}
      </div>
    </div>
  )
}

function Grid<Row extends { id: number }>(props: TableProps<Row>) {
  const { label, list, actions, actionsWidth = '5rem', keyOf, selection } = props
  const entries = shownColumns(props)
  const rows = list.rows ?? []
  return (
    <div className={classes.scroll}>
      <table
        className={classes.table}
        style={
          {
            '--least': leastWidth([
              ...entries.map(
                ([, { width, least, card }]) => width ?? least ?? (card === 'title' ? TITLE_WIDTH : '6.5rem'),
              ),
              actionsWidth,
              ...(selection ? [BOX_WIDTH] : []),
            ]),
          } as CSSProperties
        }
        aria-label={label}
        onMouseOver={showFullText}
        onFocus={showFullText}
      >
        <thead>
          <tr>
            {entries.map(([field, column], index) => (
              <Heading key={field} field={field} {...column} sorting={list.sorting}>
                {index === 0 && selection && <SelectAllBox selection={selection} rows={rows} />}
              </Heading>
            ))}
            {actions && (
              <th className={classes.actions} style={widthOf(actionsWidth)}>
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {list.rows?.map((row) => (
            <tr key={keyOf?.(row) ?? row.id}>
              {entries.map(([field, { cell, tone, isWrapped }], index) => (
                <td key={field} data-tone={tone} data-wrapped={isWrapped}>
                  {index === 0 && selection && (
                    <div className={classes.select}>
                      <SelectBox selection={selection} rows={rows} row={row} />
                    </div>
                  )}
                  {cell(row)}
                </td>
              ))}
              {actions && <td className={classes.actions}>{actions(row)}</td>}
            </tr>
          )) ?? <SkeletonRows columns={entries.length + (actions ? 1 : 0)} />}
        </tbody>
      </table>
    </div>
  )
}

/** All columns stay readable, however many there are: the table scrolls instead. */
function leastWidth(widths: string[]) {
  const share = widths.reduce((sum, width) => sum + (width.endsWith('%') ? Number.parseFloat(width) / 100 : 0), 0)
  return `calc((${widths.filter((width) => width.endsWith('rem')).join(' + ')}) / ${1 - share})`
}

/** A variable, so that the style sheet can ignore it in print. */
function widthOf(width: string | undefined) {
  return width === undefined ? undefined : ({ '--width': width } as CSSProperties)
}

type HeadingProps = Pick<Column<never>, 'heading' | 'width'> & {
  field: string
  sorting?: Sorting
  /** The box that selects all rows. It is no column of its own: it says nothing about them. */
  children: ReactNode
}

function Heading({ field, heading, width, sorting, children }: HeadingProps) {
  const box = children && <div className={classes.select}>{children}</div>
  const common = {
    scope: 'col',
    style: widthOf(box && width ? `calc(${width} + ${BOX_WIDTH})` : width),
    // Without the box, which would be read out with every cell.
    abbr: box ? heading : undefined,
  }
  if (!sorting?.fields.includes(field)) {
    return (
      <th {...common}>
        {box}
        {heading}
      </th>
    )
  }
  const { current, sortBy } = sorting
  const isUp = current === field
  const isDown = current === `-${field}`
  return (
    <th {...common} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      {box}
      <button type="button" className={classes.sort} onClick={() => sortBy(isUp ? `-${field}` : field)}>
        {heading}
        <Icon name={isUp ? 'chevron-up' : isDown ? 'chevron-down' : 'sort'} size={14} />
      </button>
    </th>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: PAGE_SIZE }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the index is its only identity
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is its only identity
        <td key={column}>
          <span className={classes.bone} style={{ width: `${45 + ((row * 7 + column * 13) % 40)}%` }} />
        </td>
      ))}
    </tr>
  ))
}

/** Shows truncated text in a tooltip. */
function showFullText({ target }: SyntheticEvent) {
  const cell = target instanceof Element ? target.closest('td') : null
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : ''
}
