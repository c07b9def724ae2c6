const number = new Intl.NumberFormat()
const rounded = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const localDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function formatNumber(value: number) {
  return number.format(value)
}

/** '812 B', '3.4 MB', as file managers write it. */
export function formatBytes(value: number) {
  const units = ['B', 'KB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log2(Math.max(value, 1)) / 10), units.length - 1)
  return `${rounded.format(value / 1024 ** power)} ${units[power]}`
}

/** '1 user', '2,041 users'. */
export function formatCount(value: number, one: string, many = `${one}s`) {
  return `${formatNumber(value)} ${value === 1 ? one : many}`
}

/** A date as the API sends it, `2026-12-01T00:00:00`: the same day in every time zone. */
export function formatDay(value: string) {
  const date = new Date(`${value.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? value : day.format(date)
}

/** The days of a filter, 'from Nov 1, 2026 until Nov 17, 2026'; undefined if there are none. */
export function formatDays(from: string | undefined, to: string | undefined) {
  if (from !== undefined && from === to) return `on ${formatDay(from)}`
  const parts = [from && `from ${formatDay(from)}`, to && `until ${formatDay(to)}`]
  return parts.filter(Boolean).join(' ') || undefined
}

/** The day of an ISO timestamp, in the user's time zone. */
export function formatLocalDay(value: string) {
  return localDay.format(new Date(value))
}

/** An ISO timestamp, in the user's time zone. */
export function formatMoment(value: string) {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : moment.format(date)
}

/** The time of day of an ISO timestamp, in the user's time zone. */
export function formatTime(value: string) {
  return time.format(new Date(value))
}

/** With seconds and the time zone. */
export function formatExactMoment(value: string) {
  return exact.format(new Date(value))
}

const DAY = 24 * 60

/** 'just now', '5 minutes ago', and after a month the day. */
export function formatAgo(value: string, now = Date.now()) {
  const minutes = Math.floor((now - Date.parse(value)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${formatCount(minutes, 'minute')} ago`
  if (minutes < DAY) return `${formatCount(Math.floor(minutes / 60), 'hour')} ago`
  if (minutes < 30 * DAY) return `${formatCount(Math.floor(minutes / DAY), 'day')} ago`
  return `on ${formatLocalDay(value)}`
}

/** A server message in which 'at 2026-11-16T09:40:00.000Z' becomes 'today at 9:40 AM' or 'on Nov 15, 2026 at 9:40 AM'. */
export function formatMomentsIn(text: string, now = new Date()) {
  return text.replace(/\bat (\d{4}-\d\d-\d\dT[\d:.]+Z)/g, (written, timestamp: string) => {
    const date = new Date(timestamp)
    if (Number.isNaN(date.getTime())) return written
    const isToday = date.toDateString() === now.toDateString()
    return `${isToday ? 'today' : `on ${localDay.format(date)}`} at ${time.format(date)}`
  })
}

/** '0.4 s', '12 s', '3 min 5 s', '1 h 4 min'. */
export function formatDuration(ms: number) {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${number.format(Math.round(seconds * 10) / 10)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${number.format(Math.floor(whole / 3600))} h ${Math.floor((whole % 3600) / 60)} min`
}
