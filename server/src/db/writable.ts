/** Characters that neither PostgreSQL nor XML can store, and the two separators of cells and rows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for control characters
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu

/** Removes control characters that no spreadsheet shows. A file of its own, so that workers do not load Kysely. */
export function writable(cell: string) {
  return cell.replace(UNWRITABLE, '')
}
