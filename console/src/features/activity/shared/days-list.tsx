import type { AuditEvent } from '@watchdesk/contract/activity'
import { byDay } from './days.ts'
import { type EventActions, EventItem } from './event.tsx'
import classes from './events.module.css'

type DaysProps = EventActions & { events: AuditEvent[]; heading: 'h2' | 'h3' }

/** Events, each under the heading of its day. */
export function Days({ events, heading: Heading, ...actions }: DaysProps) {
  return byDay(events).map(({ day, label, events: ofDay }) => (
    <section key={day} className={classes.day} aria-label={label}>
      <Heading className={classes.heading}>{label}</Heading>
      <ul className={classes.events}>
        {ofDay.map((event) => (
          <EventItem key={event.id} event={event} {...actions} />
        ))}
      </ul>
    </section>
  ))
}
