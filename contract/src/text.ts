/** Formats a number with 15 significant digits, like spreadsheets, to hide binary rounding errors. */
export function numberText(number: number) {
  return String(Number(number.toPrecision(15)))
}

/** Not a regular expression: `/\\/+$/` takes quadratic time in the number of slashes. */
export function withoutTrailingSlashes(text: string) {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
