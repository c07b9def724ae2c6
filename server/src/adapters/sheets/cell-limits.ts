/** The limit of an Excel cell. Stored sheets have the same, so that they can be downloaded in both formats. */
export const CELL_CHARACTERS = 32_767
/** The limit of a stored row, so that it fits in one response. */
export const ROW_CHARACTERS = 1_000_000

/** Truncates a text, with a note at its end. */
export function cutCell(text: string, most = CELL_CHARACTERS) {
  if (text.length <= most) return text
  const note = `… (cut: ${text.length.toLocaleString('en')} characters in all)`
  return `${text.slice(0, most - note.length).replace(/[\ud800-\udbff]$/, '')}${note}`
}
