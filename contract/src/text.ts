/** Not a regular expression: `/\\/+$/` takes quadratic time in the number of slashes. */
export function withoutTrailingSlashes(text: string) {
  let end = text.length
  while (end > 0 && text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
