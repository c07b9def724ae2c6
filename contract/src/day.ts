export const DAY = /^(\d{4}-\d{2}-\d{2})T00:00:00$/

/** The same in JSON Schema, which cannot say that there is no 31 June. */
export const DAY_PATTERN = '^(?!0000)\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T00:00:00$'

export function dayError(value: string) {
  const [, day] = DAY.exec(value) ?? []
  if (day === undefined) return 'Must be a date in the format YYYY-MM-DDT00:00:00.'
  return isInCalendar(day) ? undefined : 'This date does not exist.'
}

/** There is no year 0 and no 31 June, although `Date` accepts both. */
export function isInCalendar(day: string) {
  const time = Date.parse(`${day}T00:00:00Z`)
  return day >= '0001' && new Date(time).getUTCDate() === Number(day.slice(8))
}
