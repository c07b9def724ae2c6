/** Signs that start a formula, including the full-width forms that some programs accept. */
const FORMULA_SIGNS = /[=+\-@\uff1d\uff0b\uff0d\uff20]/g
/** Programs strip these at the start of a cell, so a formula can follow. `sep=` changes the separator of the file. */
const UNSAFE_START = /^'*(?:[\t\r\n]|sep=.{0,2}$)/i
/** Skipped by programs before a formula. */
const SKIPPED = /[\s"\u0085\u200b-\u200d\u2060]/
/** Characters at which a program may split a cell: which one depends on the locale, not on the file. */
const SEPARATORS = /[;,|\t\r\n]/

/**
 * Prevents spreadsheet programs from running a cell, or part of it, as a formula. Where apostrophes are already, it
 * adds one more, so that `restore` can undo it.
 */
export function neutralise(cell: string) {
  const safe = cell.replace(FORMULA_SIGNS, (sign, at: number) => (isFormulaAt(cell, at) ? `'${sign}` : sign))
  return UNSAFE_START.test(safe) ? `'${safe}` : safe
}

export function restore(cell: string) {
  if (!cell.includes("'")) return cell
  const start = cell.startsWith("'") && UNSAFE_START.test(cell) ? cell.slice(1) : cell
  return start.replace(/'[=+\-@\uff1d\uff0b\uff0d\uff20]/g, (found, at: number) =>
    isFormulaAt(start, at + 1) ? found.slice(1) : found,
  )
}

/** Whether a program would read a formula at this position. Skips the apostrophes that we added. */
function isFormulaAt(cell: string, at: number) {
  let before = at - 1
  while (cell[before] === "'") before -= 1
  while (before >= 0 && !SEPARATORS.test(cell[before] ?? '') && SKIPPED.test(cell[before] ?? '')) before -= 1
  return before < 0 || SEPARATORS.test(cell[before] ?? '')
}

export function csvLine(cells: readonly string[]) {
  const text = cells.map((cell) => quoted(neutralise(cell))).join(',')
  // An empty line would not be read as a row.
  return `${text === '' ? '""' : text}\r\n`
}

function quoted(cell: string) {
  return /[",\r\n;\t|]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
