import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'

const MIN_CHARACTERS = 7
const MAX_CHARACTERS = 44
/** Wide enough for most characters of the font, in rem. */
const CHARACTER_WIDTH = 0.52
const PADDING = 1.5
const MAX_CARD_COLUMNS = 6

export type Columns = {
  /** The columns of the CSS grid, as fractions of the available width. */
  template: string
  /** The width of the row number column, in rem. */
  numbersWidth: number
  /** The minimum width of all columns together, in rem. Below it the grid scrolls horizontally. */
  minWidth: number
  /** The widest column, shown on the first line of a card. */
  main: number
  /** The difference between the sheet's own row numbers and the row positions. */
  numberOffset: number
}

/** Sizes columns by the length of their texts. */
export function columnsFor(sheet: Sheet, sample: SheetRows['rows'] = []): Columns {
  const { header, row_count } = sheet
  const characters = header.map((name, column) => {
    const texts = sample.map(({ cells }) => cells[column]?.length ?? 0)
    return Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, name.length, ...texts))
  })
  const widths = characters.map((count) => count * CHARACTER_WIDTH + PADDING)
  const numbersWidth = Math.max(3, String(row_count).length) * CHARACTER_WIDTH + 1.25
  return {
    template: [
      ...(hasOwnNumbers(sheet) ? [] : ['var(--numbers)']),
      ...widths.map((width) => `minmax(0, ${width}fr)`),
    ].join(' '),
    numbersWidth,
    minWidth: widths.reduce((sum, width) => sum + width, hasOwnNumbers(sheet) ? 0 : numbersWidth),
    main: Math.max(0, characters.indexOf(Math.max(...characters))),
    numberOffset: hasOwnNumbers(sheet) ? offsetOf(sample) : 0,
  }
}

function offsetOf([row]: SheetRows['rows']) {
  const offset = row ? Number(row.cells[0]) - row.number : 0
  return Number.isInteger(offset) ? offset : 0
}

/** The most columns shown on a card. */
export function fitsCards({ header }: Sheet) {
  return header.length <= MAX_CARD_COLUMNS
}

/** Result sheets number their rows in the first column, so the grid's own row numbers are not needed. */
export function hasOwnNumbers({ header, outcomes }: Sheet) {
  return outcomes !== null && header[0]?.toLowerCase() === 'row'
}

/** The column with the outcome of a row. */
export function outcomeColumn({ header, outcomes }: Sheet) {
  return outcomes ? header.findIndex((name) => name.toLowerCase() === 'outcome') : -1
}

/** The columns of a card's second line: the outcome first, never truncated. */
export function secondLine(sheet: Sheet) {
  const others = Math.max(1, sheet.header.length - 1)
  const widths = new Array<string>(others).fill('minmax(0, auto)')
  if (outcomeColumn(sheet) >= 0) widths[0] = 'max-content'
  // The last column gets the remaining width, so that the first line can use all of it.
  return [...widths, 'minmax(0, 1fr)'].join(' ')
}
