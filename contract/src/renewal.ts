/** The next date on which a quota is renewed: in a later month, on its day or the last one, and after today. */
export function nextRenewal(date: string, day: number, today: string) {
  const month = Math.max(monthOf(date) + 1, monthOf(today))
  const next = inMonth(month, day)
  return next > today ? next : inMonth(month + 1, day)
}

/**
 * The day of the month on which a quota is renewed. The remembered one says more than the date only in a month that is
 * too short for it: otherwise somebody has set another date since.
 */
export function renewalDay(date: string, remembered: number | null) {
  const isShortened = remembered !== null && inMonth(monthOf(date), remembered) === date
  return isShortened ? remembered : Number(date.slice(8, 10))
}

/** The number of the month since the year 0, of a date such as 2027-02-28. */
function monthOf(date: string) {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

/** The day in that month, or its last day if it is shorter. */
function inMonth(month: number, day: number) {
  const year = Math.floor(month / 12)
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const place = month % 12
  const parts = [digits(year, 4), digits(place + 1, 2), digits(Math.min(day, lengths[place] ?? 31), 2)]
  return parts.join('-')
}

function digits(number: number, length: number) {
  return String(number).padStart(length, '0')
}
