/** As people would type it: a spreadsheet computes with 15 digits, and does not show the noise of binary fractions either. */
export function numberText(number: number) {
  return String(Number(number.toPrecision(15)))
}

/** Not a regular expression: `/\\/+$/` takes the square of the number of slashes. */
export function withoutTrailingSlashes(text: string) {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
