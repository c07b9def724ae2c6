/** What a cell of a workbook holds, and so of every sheet that we store: each can be downloaded whole in both formats. */
export const CELL_CHARACTERS = 32_767
/** Of one row that we store, so that it can be read in one answer. */
export const ROW_CHARACTERS = 1_000_000

/** A text that fits, and says so where it was cut. */
export function cutCell(text: string, most = CELL_CHARACTERS) {
  if (text.length <= most) return text
  const note = `… (cut: ${text.length.toLocaleString('en')} characters in all)`
  return `${text.slice(0, most - note.length).replace(/[\ud800-\udbff]$/, '')}${note}`
}
