import { COLUMNS, type Column } from './worker/messages.ts'

/** The columns of the grid, in order. */
export const GRID_COLUMNS = ['row', 'url', 'country', 'platform', 'outcome', 'skip'] as const
export type GridColumn = (typeof GRID_COLUMNS)[number]

/** The row numbers are headings, as in a spreadsheet: keys do not move to them. */
const FIRST_STEP = 1

/** `at` is the position of the row. */
export type Cell = { at: number; column: GridColumn }

/** How to move after an edit. */
export type Move = 'up' | 'down' | 'left' | 'right' | 'next' | 'previous' | undefined

export function isEditable(column: GridColumn): column is Column {
  return (COLUMNS as readonly GridColumn[]).includes(column)
}

type Size = { total: number; page: number }

/** The cell to which a key moves. */
export function cellFor(key: string, isWhole: boolean, { at, column }: Cell, { total, page }: Size): Cell | undefined {
  const step = GRID_COLUMNS.indexOf(column)
  const targets: Record<string, [row: number, step: number]> = {
    ArrowDown: [at + 1, step],
    ArrowUp: [at - 1, step],
    ArrowRight: [at, step + 1],
    ArrowLeft: [at, step - 1],
    PageDown: [at + page, step],
    PageUp: [at - page, step],
    Home: [isWhole ? 0 : at, FIRST_STEP],
    End: [isWhole ? total - 1 : at, GRID_COLUMNS.length - 1],
  }
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined
  return target && cellAt(...target, total)
}

function cellAt(row: number, step: number, total: number): Cell {
  const column = GRID_COLUMNS[Math.max(clamp(step, GRID_COLUMNS.length - 1), FIRST_STEP)] ?? 'url'
  return { at: clamp(row, total - 1), column }
}

/** The next or previous cell that can be edited; undefined at the end. */
export function editableAfter({ at, column }: Cell, isBack: boolean, total: number): Cell | undefined {
  const cells = GRID_COLUMNS.map((name, step) => ({ name, step })).filter(({ name }) => isEditable(name))
  const step = GRID_COLUMNS.indexOf(column)
  const inRow = isBack ? cells.findLast((cell) => cell.step < step) : cells.find((cell) => cell.step > step)
  if (inRow) return { at, column: inRow.name }
  const row = isBack ? at - 1 : at + 1
  const edge = isBack ? cells.at(-1) : cells[0]
  return edge && row >= 0 && row < total ? { at: row, column: edge.name } : undefined
}

/** The cell after an edit. */
export function cellAfter(cell: Cell, move: Move, size: Size): Cell {
  if (move === undefined) return cell
  if (move === 'next' || move === 'previous') return editableAfter(cell, move === 'previous', size.total) ?? cell
  const key = { up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' }[move]
  return cellFor(key, false, cell, size) ?? cell
}

function clamp(value: number, max: number) {
  return Math.min(Math.max(value, 0), Math.max(0, max))
}
