import type { GridRows } from './window.ts'

const MIN_CHARACTERS = 7
const MAX_CHARACTERS = 44
/** Wide enough for most characters of the font, in rem. */
const CHARACTER_WIDTH = 0.52
const PADDING = 1.5
const MAX_CARD_COLUMNS = 6
/** The room for the edges of a badge. */
const BADGE_CHARACTERS = 2

/** What the grid shows: any number of rows, which it loads in windows. */
export type RowTable = {
  /** The accessible name of the grid. */
  title: string
  header: string[]
  /** How many rows there are without a filter. */
  row_count: number
  /** Null if the rows have no outcome. */
  outcomes: Record<string, number> | null
  /** The column that explains the outcome: a line of its own on a card. */
  note?: number
}

export type Columns = {
  /** The columns of the CSS grid, as fractions of the available width. */
  template: string
  /** The width of the row number column, in rem. */
  numbersWidth: number
  /** The minimum width of all columns together, in rem. Below it the grid scrolls horizontally. */
  minWidth: number
  /** The widest column, shown on the first line of a card. */
  main: number
  /** The difference between the table's own row numbers and the row positions. */
  numberOffset: number
}

/** Sizes columns by the length of their texts. */
export function columnsFor(table: RowTable, sample: GridRows = []): Columns {
  const { header, row_count, note } = table
  const characters = header.map((name, column) => {
    const lines = column === note ? 2 : 1
    const texts = sample.map(({ cells }) => Math.ceil(lengthOf(cells[column] ?? '') / lines))
    const count = Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, name.length, ...texts))
    return column === outcomeColumn(table) ? count + BADGE_CHARACTERS : count
  })
  const candidates = characters.map((count, column) => (column === note ? 0 : count))
  const main = Math.max(0, candidates.indexOf(Math.max(...candidates)))
  const widths = characters.map((count) => count * CHARACTER_WIDTH + PADDING)
  // With an explanation, only that and the widest column give way; each is still readable at two thirds.
  const givesWay = (column: number) => note === undefined || column === note || column === main
  const narrowest = widths.map((width, column) => (note !== undefined && givesWay(column) ? width * 0.66 : width))
  const numbersWidth = Math.max(3, String(row_count).length) * CHARACTER_WIDTH + 1.25
  return {
    template: [
      ...(hasOwnNumbers(table) ? [] : ['var(--numbers)']),
      ...widths.map((width, column) => `minmax(${givesWay(column) ? 0 : `${width}rem`}, ${width}fr)`),
    ].join(' '),
    numbersWidth,
    minWidth: narrowest.reduce((sum, width) => sum + width, hasOwnNumbers(table) ? 0 : numbersWidth),
    main,
    numberOffset: hasOwnNumbers(table) ? offsetOf(sample) : 0,
  }
}

/** Capital letters are wider, as in TELEGRAM. */
function lengthOf(text: string) {
  const capitals = text.length > MAX_CHARACTERS ? [] : (text.match(/[A-Z]/g) ?? [])
  return text.length + Math.ceil(capitals.length / 3)
}

function offsetOf([row]: GridRows) {
  const offset = row ? Number(row.cells[0]) - row.number : 0
  return Number.isInteger(offset) ? offset : 0
}

/** The most columns shown on a card. */
export function fitsCards({ header, note }: RowTable) {
  return header.length - (note === undefined ? 0 : 1) <= MAX_CARD_COLUMNS
}

/** Results of imports number their rows in the first column, so the grid's own row numbers are not needed. */
export function hasOwnNumbers({ header, outcomes }: RowTable) {
  return outcomes !== null && header[0]?.toLowerCase() === 'row'
}

/** The column with the outcome of a row. */
export function outcomeColumn({ header, outcomes }: RowTable) {
  return outcomes ? header.findIndex((name) => name.toLowerCase() === 'outcome') : -1
}

/** The columns of a card's second line: the outcome first, never truncated. */
export function secondLine(table: RowTable) {
  const others = Math.max(1, table.header.length - (table.note === undefined ? 1 : 2))
  const widths = new Array<string>(others).fill('minmax(0, auto)')
  if (outcomeColumn(table) >= 0) widths[0] = 'max-content'
  // The last column gets the remaining width, so that the first line can use all of it.
  return [...widths, 'minmax(0, 1fr)'].join(' ')
}
