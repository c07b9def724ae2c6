/** What makes a spreadsheet run a cell as a formula, also in the full-width forms that some programs accept. */
const FORMULA_SIGNS = /[=+\-@\uff1d\uff0b\uff0d\uff20]/g
/** At the start of a cell, these are stripped before what follows is read; `sep=` changes the separator of a whole file. */
const UNSAFE_START = /^'*(?:[\t\r\n]|sep=.{0,2}$)/i
const NEUTRALISED_START = /^'+(?:[\t\r\n]|sep=.{0,2}$)/i
/** Programs skip these before they look for a formula. */
const SKIPPED = /[\s"\u0085\u200b-\u200d\u2060]/
/** What a program may split a cell at, whatever the file's own separator is: that depends on the country. */
const SEPARATORS = /[;,|\t\r\n]/

/**
 * A cell that no spreadsheet runs as a formula, not even in part: an apostrophe before each sign that would start one,
 * at the start of the cell or after a separator inside it. Where apostrophes are already there, one more is added, so
 * that `restore` finds what was there.
 */
export function neutralise(cell: string) {
  const safe = cell.replace(FORMULA_SIGNS, (sign, at: number) => (isFormulaAt(cell, at) ? `'${sign}` : sign))
  return UNSAFE_START.test(safe) ? `'${safe}` : safe
}

/** What a cell was before `neutralise`. */
export function restore(cell: string) {
  if (!cell.includes("'")) return cell
  const start = NEUTRALISED_START.test(cell) ? cell.slice(1) : cell
  return start.replace(/'[=+\-@\uff1d\uff0b\uff0d\uff20]/g, (found, at: number) =>
    isFormulaAt(start, at + 1) ? found.slice(1) : found,
  )
}

/** Does a program that splits the cell, or takes it whole, find this sign first? Apostrophes before it are ours. */
function isFormulaAt(cell: string, at: number) {
  let before = at - 1
  while (cell[before] === "'") before -= 1
  while (before >= 0 && !SEPARATORS.test(cell[before] ?? '') && SKIPPED.test(cell[before] ?? '')) before -= 1
  return before < 0 || SEPARATORS.test(cell[before] ?? '')
}

/** One line of a CSV file that spreadsheets open as it is: commas, CRLF, quotes where needed, formulas made harmless. */
export function csvLine(cells: readonly string[]) {
  const text = cells.map((cell) => quoted(neutralise(cell))).join(',')
  // An empty line would be read as no row at all.
  return `${text === '' ? '""' : text}\r\n`
}

function quoted(cell: string) {
  return /[",\r\n;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
