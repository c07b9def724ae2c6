import type { Sheet, SheetRows } from '@watchdesk/contract/sheets'

const NARROWEST = 7
const WIDEST = 44
/** Wide enough for most letters of our type, in rem. */
const LETTER = 0.52
const PADDING = 1.5
const MOST_OF_A_CARD = 6

export type Columns = {
  /** As a grid writes them: shares of the width there is. */
  template: string
  /** In rem: the first column, which has the numbers of the rows. */
  numbers: number
  /** In rem, all together; below it the grid scrolls sideways in its box. */
  least: number
  /** The widest, which a card has on its first line. */
  main: number
  /** How far the sheet's own numbers are ahead of the places of its rows. */
  firstNumber: number
}

/** Columns as wide as their texts ask for. */
export function columnsFor(sheet: Sheet, sample: SheetRows['rows'] = []): Columns {
  const { header, row_count } = sheet
  const letters = header.map((name, column) => {
    const texts = sample.map(({ cells }) => cells[column]?.length ?? 0)
    return Math.min(WIDEST, Math.max(NARROWEST, name.length, ...texts))
  })
  const widths = letters.map((count) => count * LETTER + PADDING)
  const numbers = Math.max(3, String(row_count).length) * LETTER + 1.25
  return {
    template: [
      ...(hasOwnNumbers(sheet) ? [] : ['var(--numbers)']),
      ...widths.map((width) => `minmax(0, ${width}fr)`),
    ].join(' '),
    numbers,
    least: widths.reduce((sum, width) => sum + width, hasOwnNumbers(sheet) ? 0 : numbers),
    main: Math.max(0, letters.indexOf(Math.max(...letters))),
    firstNumber: hasOwnNumbers(sheet) ? aheadBy(sample) : 0,
  }
}

function aheadBy([row]: SheetRows['rows']) {
  const ahead = row ? Number(row.cells[0]) - row.number : 0
  return Number.isInteger(ahead) ? ahead : 0
}

/** More columns than that are not told on two lines. */
export function fitsCards({ header }: Sheet) {
  return header.length <= MOST_OF_A_CARD
}

/** Result sheets number their rows in their first column; ours would say the same again. */
export function hasOwnNumbers({ header, outcomes }: Sheet) {
  return outcomes !== null && header[0]?.toLowerCase() === 'row'
}

/** The column that says what became of a row. */
export function outcomeColumn({ header, outcomes }: Sheet) {
  return outcomes ? header.findIndex((name) => name.toLowerCase() === 'outcome') : -1
}

/** The columns of a card's second line: what became of the row is told first, and never cut. */
export function secondLine(sheet: Sheet) {
  const others = Math.max(1, sheet.header.length - 1)
  const widths = new Array<string>(others).fill('minmax(0, auto)')
  if (outcomeColumn(sheet) >= 0) widths[0] = 'max-content'
  // The last takes what is left, so that the first line has the whole width.
  return [...widths, 'minmax(0, 1fr)'].join(' ')
}
