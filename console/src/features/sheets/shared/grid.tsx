import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, type KeyboardEvent, type SyntheticEvent, useId, useRef, useState } from 'react'
import { formatNumber } from '../../../ui/display/format.ts'
import { useVirtualList } from '../../../ui/list/use-virtual-list.ts'
import { columnsFor, fitsCards, hasOwnNumbers, outcomeColumn, type RowTable, secondLine } from './columns.ts'
import { GridFooter } from './footer.tsx'
import classes from './grid.module.css'
import { SheetRow } from './row.tsx'
import { useRows } from './use-rows.ts'
import type { RowsQuery } from './window.ts'

const NARROW = '(max-width: 47.99em)'
const ROW_PX = 36
const CARD_PX = 64
const NOTE_PX = 34
const HEAD_PX = 38
const OVERSCAN = 12

type RowGridProps = {
  table: RowTable
  /** The query of a window of rows. */
  rows: RowsQuery
  /** The number of rows to show. */
  total: number
  /** Rows that are left out make gaps between the row numbers. */
  isFiltered: boolean
}

/** A virtual list: renders only the visible rows, out of any number. */
export function RowGrid(props: RowGridProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const isCards = isNarrow && fitsCards(props.table)
  // A different row height changes every scroll position, so the grid is remounted.
  return <Grid key={String(isCards)} isCards={isCards} {...props} />
}

function Grid({ isCards, table, rows, total, isFiltered }: RowGridProps & { isCards: boolean }) {
  const id = useId()
  const box = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState<number>()
  const rowHeight = isCards ? CARD_PX + (table.note === undefined ? 0 : NOTE_PX) : ROW_PX
  const headHeight = isCards ? 0 : HEAD_PX
  const list = useVirtualList(box, { rows: total, rowHeight, headHeight, overscan: OVERSCAN })
  const { first, count } = list
  const { rowAt, sample, failure } = useRows(rows, { first, count, total })
  const [measured, setMeasured] = useState<ReturnType<typeof columnsFor>>()
  // Measured once: columns should not change width while scrolling.
  if (sample && !measured) setMeasured(columnsFor(table, sample))
  const columns = measured ?? columnsFor(table)
  const outcomeAt = outcomeColumn(table)

  const rowId = (row: number) => `${id}-${row}`
  const isActiveRendered = active !== undefined && active >= list.from && active < list.to

  function activate(row: number) {
    setActive(row)
    list.scrollIntoView(row)
  }

  function keyDown(event: KeyboardEvent) {
    if (event.altKey || event.shiftKey) return
    if (event.key === 'Enter' && active !== undefined) {
      document.getElementById(rowId(active))?.querySelector('a')?.click()
      return
    }
    // If the focused row is out of view, continue from the first visible one.
    const isInView = active !== undefined && active >= first && active < first + count
    const row = rowFor(event.key, isInView ? active : first - 1, Math.max(1, count - 1), total)
    if (row === undefined) return
    event.preventDefault()
    activate(row)
  }

  const style = {
    '--row': `${rowHeight}px`,
    '--head': `${headHeight}px`,
    '--columns': columns.template,
    '--second-line': secondLine(table),
    '--numbers': `${columns.numbersWidth}rem`,
    '--min-width': `${isCards ? 0 : columns.minWidth}rem`,
  } as CSSProperties
  return (
    <div className={classes.sheet}>
      <table
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it handles keys, with one active row
        role="grid"
        className={classes.box}
        tabIndex={0}
        aria-label={table.title}
        aria-rowcount={total + 1}
        aria-colcount={table.header.length + 1}
        aria-activedescendant={isActiveRendered ? rowId(active) : undefined}
        data-cards={isCards || undefined}
        data-numbered={hasOwnNumbers(table) || undefined}
        style={style}
        onScroll={list.onScroll}
        onKeyDown={keyDown}
        // Otherwise a focused link inside a row would lose the focus when the row is scrolled away.
        onFocus={(event) => event.target !== box.current && box.current?.focus({ preventScroll: true })}
        onMouseOver={showFullText}
        onClick={({ target }) => {
          const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
          if (row) setActive(Number(row.dataset.index))
        }}
      >
        <thead className={classes.head}>
          <tr className={classes.row} aria-rowindex={1}>
            <th scope="col" className={classes.number} aria-label="Row number">
              #
            </th>
            {table.header.map((name, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
              <th scope="col" key={column} className={classes.cell}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.body} style={list.bodyStyle}>
          {list.indexes.map((index) => {
            const row = rowAt(index)
            return (
              <SheetRow
                key={index}
                id={rowId(index)}
                index={index}
                number={row?.number ?? (isFiltered ? undefined : index + 1)}
                cells={row?.cells}
                header={table.header}
                main={columns.main}
                note={table.note}
                outcomeAt={outcomeAt}
                isActive={index === active}
              />
            )
          })}
        </tbody>
      </table>
      <GridFooter
        range={`${formatNumber(Math.min(first + 1, total))}–${formatNumber(Math.min(first + count, total))} of ${formatNumber(total)}`}
        failure={failure}
        onRetry={() => box.current?.focus()}
        // Row numbers with gaps do not map to positions, and rows that all fit need no navigation.
        isNumbered={!isFiltered && total > count}
        onGo={(number) => {
          const row = Math.min(Math.max(number - 1 - columns.numberOffset, 0), total - 1)
          list.scrollToRow(row)
          setActive(row)
          box.current?.focus()
        }}
      />
    </div>
  )
}

/** The row that a key moves to. */
function rowFor(key: string, row: number, page: number, total: number) {
  const wanted: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: total - 1,
  }
  const target = Object.hasOwn(wanted, key) ? wanted[key] : undefined
  return target === undefined ? undefined : Math.min(Math.max(target, 0), total - 1)
}

/** Shows truncated text in a tooltip. */
function showFullText({ target }: SyntheticEvent) {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : ''
}
