const LARGEST_ID = 2_147_483_647

/** A positive integer from the address; undefined for anything else. */
export function integerParam(value: unknown) {
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= LARGEST_ID ? number : undefined
}

/** A text from the address. The router parses digits as a number. */
export function textParam(value: unknown) {
  return value === undefined || value === '' ? undefined : String(value)
}
