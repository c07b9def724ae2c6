import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, type MouseEvent, type ReactNode, useCallback, useId, useRef } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { useVirtualList } from '../../ui/list/use-virtual-list.ts'
import { type Cell, GRID_COLUMNS, type GridColumn, isEditable, type Move } from './cells.ts'
import classes from './grid.module.css'
import type { OpenFile } from './open-file.ts'
import { Row } from './row.tsx'
import type { CountryPicker } from './use-country-picker.ts'
import { useGrid } from './use-grid.ts'
import { usePreviewRows } from './use-preview-rows.ts'
import type { Change, Changed } from './worker/messages.ts'

const NARROW = '(max-width: 47.99em)'
const HEAD_PX = 38
const ROW_PX = 44
const CARD_PX = 92
const OVERSCAN = 8
const TOP_BAR_PX = 60
const BOTTOM_BAR_PX = 76

const HEADINGS: Record<GridColumn, ReactNode> = {
  row: 'Row',
  url: 'URL',
  country: 'Country',
  platform: 'Platform',
  outcome: 'Outcome',
  skip: <span className="visually-hidden">Skip</span>,
}

type GridProps = {
  opened: OpenFile
  total: number
  /** Changes with every edit. */
  version: number
  picker: CountryPicker | undefined
  change: (change: Change) => Promise<Changed | undefined>
  /** The result of the last change. */
  status: ReactNode
}

/** The rows of the file, as a spreadsheet. Renders only the visible ones, out of any number. */
export function PreviewGrid(props: GridProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  // A different row height changes every scroll position, so the table is remounted.
  return <Grid key={String(isNarrow)} isNarrow={isNarrow} {...props} />
}

function Grid({ opened, total, version, picker, change, status, isNarrow }: GridProps & { isNarrow: boolean }) {
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const rowHeight = isNarrow ? CARD_PX : ROW_PX
  const headHeight = isNarrow ? 0 : HEAD_PX
  const list = useVirtualList(box, { rows: total, rowHeight, headHeight, overscan: OVERSCAN })
  const { first, count } = list
  const { rowAt, showWritten } = usePreviewRows(opened, version, list)
  const grid = useGrid({
    grid: table,
    total,
    page: Math.max(1, count - 1),
    first,
    rowAt,
    scrollIntoView: list.scrollIntoView,
    reveal,
    showWritten,
    change,
  })
  const { active, editing } = grid
  const isPressedActive = useRef(false)
  const latest = useRef(grid.finish)
  latest.current = grid.finish
  const finish = useCallback((text: string | undefined, move: Move) => latest.current(text, move), [])
  const cellId = useCallback((index: number, column: GridColumn) => `${id}-${index}-${column}`, [id])
  const isActiveRendered = active !== undefined && active.at >= list.from && active.at < list.to

  /** The bars at the top and the bottom of the window cover what is behind them. */
  function reveal(at: number) {
    // By its number: its cells may not have arrived yet.
    const place = table.current?.querySelector(`[aria-rowindex="${at + 2}"]`)?.getBoundingClientRect()
    if (!place) return
    const over = place.bottom - (window.innerHeight - BOTTOM_BAR_PX)
    const under = place.top - headHeight - TOP_BAR_PX
    if (over > 0 || under < 0) window.scrollBy(0, over > 0 ? over : under)
  }

  function pressed(event: MouseEvent) {
    const cell = cellOf(event.target)
    if (!cell || event.button !== 0) return
    // The focus stays on the grid. Otherwise it would be lost when a row is scrolled away.
    event.preventDefault()
    isPressedActive.current = active?.at === cell.at && active.column === cell.column
    table.current?.focus({ preventScroll: true })
  }

  function clicked(event: MouseEvent) {
    const cell = cellOf(event.target)
    if (!cell) return
    const action = event.target instanceof Element && event.target.closest<HTMLElement>('[data-action]')
    const isTap = isNarrow || (event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === 'touch')
    if (!action && isEditable(cell.column) && (isTap || isPressedActive.current)) return grid.edit(cell)
    grid.activate(cell)
    if (action && action.dataset.action === 'skip') grid.toggleSkip(cell.at)
    else if (action && isEditable(cell.column)) grid.accept(cell.at, cell.column)
  }

  /** What was typed is written before its row is scrolled away. */
  function scrolled() {
    const field = box.current?.querySelector<HTMLElement>('[data-editor] input')
    const area = box.current?.getBoundingClientRect()
    const place = field?.getBoundingClientRect()
    if (area && place && (place.bottom < area.top || place.top > area.bottom)) field?.blur()
    list.onScroll()
  }

  return (
    <>
      <section
        ref={box}
        className={classes.box}
        aria-label="Rows of the file"
        data-cards={isNarrow || undefined}
        style={{ '--row': `${rowHeight}px`, '--head': `${headHeight}px` } as CSSProperties}
        onScroll={scrolled}
      >
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells can be selected and edited
          role="grid"
          className={classes.table}
          tabIndex={0}
          aria-label="Rows of the file"
          aria-describedby={`${id}-keys`}
          aria-rowcount={total + 1}
          aria-colcount={GRID_COLUMNS.length}
          aria-activedescendant={isActiveRendered && !editing ? cellId(active.at, active.column) : undefined}
          onKeyDown={grid.onKeyDown}
          onPaste={grid.onPaste}
          onCopy={grid.onCopy}
          onMouseDown={pressed}
          onClick={clicked}
          onFocus={({ target }) => {
            if (target === table.current && !active) grid.show({ at: first, column: 'url' })
          }}
          onBlur={grid.onBlur}
        >
          <thead className={classes.head}>
            <tr className={classes.line} aria-rowindex={1}>
              {GRID_COLUMNS.map((column, index) => (
                <th key={column} scope="col" className={classes[column]} aria-colindex={index + 1}>
                  {HEADINGS[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={classes.body} style={list.bodyStyle}>
            {list.indexes.map((index) => (
              <Row
                key={index}
                index={index}
                row={rowAt(index)}
                cellId={cellId}
                active={active?.at === index ? active.column : undefined}
                editing={editing?.at === index ? editing : undefined}
                picker={picker}
                onFinish={finish}
              />
            ))}
          </tbody>
        </table>
      </section>
      <div className={classes.footer}>
        <span>
          {formatNumber(Math.min(first + 1, total))}–{formatNumber(Math.min(first + count, total))} of{' '}
          {formatNumber(total)}
        </span>
        <span className={classes.status} aria-live="polite">
          {status}
        </span>
        <span id={`${id}-keys`} className={classes.keys}>
          Enter or a double click edits, Ctrl+Enter uses the suggestion, Ctrl+Z undoes, Esc and then Tab leaves the
          table.
        </span>
      </div>
    </>
  )
}

/** The cell that contains an element, unless it is being edited. */
function cellOf(target: EventTarget): Cell | undefined {
  const element = target instanceof Element && !target.closest('[data-editor]') ? target : undefined
  const column = element?.closest<HTMLElement>('[data-column]')?.dataset.column as GridColumn | undefined
  const at = element?.closest<HTMLElement>('[data-at]')?.dataset.at
  return column === undefined || at === undefined ? undefined : { at: Number(at), column }
}
