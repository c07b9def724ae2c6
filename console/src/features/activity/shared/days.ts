import type { AuditEvent } from '@watchdesk/contract/activity'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const withYear = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

type Day<Event> = { day: string; label: string; events: Event[] }

/** Groups events, newest first, by the day in the reader's time zone. */
export function byDay<Event extends Pick<AuditEvent, 'at'>>(events: Event[], now = new Date()): Day<Event>[] {
  const days: Day<Event>[] = []
  for (const event of events) {
    const at = new Date(event.at)
    const day = at.toDateString()
    const last = days.at(-1)
    if (last?.day === day) last.events.push(event)
    else days.push({ day, label: dayLabel(at, now), events: [event] })
  }
  return days
}

function dayLabel(at: Date, now: Date) {
  if (at.toDateString() === now.toDateString()) return 'Today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (at.toDateString() === yesterday.toDateString()) return 'Yesterday'
  return (at.getFullYear() === now.getFullYear() ? weekday : withYear).format(at)
}
