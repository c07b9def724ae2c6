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
  // Counted from 2000, because JavaScript reads years before 100 as those after 1900.
  const date = new Date(Date.UTC(2000, month - 2000 * 12 + 1, 0))
  date.setUTCDate(Math.min(day, date.getUTCDate()))
  return date.toISOString().slice(0, 10)
}
