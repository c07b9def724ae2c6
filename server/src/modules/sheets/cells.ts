/** What makes a spreadsheet run a cell as a formula, also in the full-width forms that some of them take alike. */
const STARTS_FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NEUTRALISED = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * A cell that no spreadsheet runs as a formula: an apostrophe makes it text. One that has such an apostrophe of its own
 * gets another, so that `restore` finds what was there.
 */
export function neutralise(cell: string) {
  return STARTS_FORMULA.test(cell) ? `'${cell}` : cell
}

/** What a cell was before our own export made it harmless. */
export function restore(cell: string) {
  return NEUTRALISED.test(cell) ? cell.slice(1) : cell
}
