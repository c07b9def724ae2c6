import type { LifeCycle } from '@watchdesk/contract/catalog'
import { formatDay, formatNumber } from '../../../ui/display/format.ts'

type Renewal = {
  date: string
  /** Undefined while it is not a number. */
  limit: number | undefined
}

/** What happens on the renewal date of a quota, in words. */
export function renewalText({ quota_renewal }: LifeCycle, { date, limit }: Renewal, now = new Date()) {
  if (quota_renewal === 'off') return 'Nothing happens automatically on this date.'
  const becomes = `the balance becomes ${limit === undefined ? 'the limit' : formatNumber(limit)} again`
  const then = `then ${monthly(date)}`
  // The server renews what is due, also if somebody has just set the date.
  if (date <= now.toISOString().slice(0, 10)) return `This date has come: ${becomes} within a minute, ${then}.`
  return `On ${formatDay(date)} ${becomes}, ${then}.`
}

const ORDINALS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = new Intl.PluralRules('en', { type: 'ordinal' })

/** Only the server knows whether the last day of a short month stands for a later day. */
function monthly(date: string) {
  const day = Number(date.slice(8, 10))
  if (day === 31) return 'on the last day of every month'
  if (isLastOfMonth(date)) return 'once a month'
  const name = `on the ${day}${ORDINALS[ordinal.select(day)] ?? 'th'} of every month`
  return day > 28 ? `${name}, or its last day` : name
}

function isLastOfMonth(date: string) {
  const next = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.getUTCDate() === 1
}
