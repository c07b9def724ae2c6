import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { formatMoment, formatTime } from '../../../ui/display/format.ts'
import { Icon } from '../../../ui/display/icon.tsx'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { eventsQuery } from '../queries.ts'
import classes from './events.module.css'
import { RecordLink } from './record-link.tsx'
import type { ChangedRow } from './rows.ts'
import { personOf, sentenceOf, textOf } from './sentence.ts'

// Most events are never opened.
const Details = lazy(() => import('./details.tsx').then((module) => ({ default: module.Details })))

/** What other pages add to an opened event. */
export type EventActions = {
  /** Below the changes. */
  renderActions?: (event: AuditEvent) => ReactNode
  /** In a column of each changed field. */
  renderField?: (event: AuditEvent, row: ChangedRow) => ReactNode
}

/** One line, which opens to the changes of the event. */
export function EventItem({ event, ...actions }: EventActions & { event: AuditEvent }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li className={classes.event} data-open={isOpen || undefined}>
      <div className={classes.line}>
        <span className={classes.initials} aria-hidden="true" data-nobody={event.actor?.id ? undefined : true}>
          {initials(personOf(event))}
        </span>
        <Sentence event={event} />
        <span className={classes.from}>{event.ip}</span>
        <time className={classes.time} dateTime={event.at} title={formatMoment(event.at)}>
          {formatTime(event.at)}
        </time>
        <button
          type="button"
          className={classes.open}
          data-row
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={`Details: ${textOf(event)}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
        </button>
      </div>
      {isOpen && (
        <div id={id} className={classes.details}>
          <Suspense fallback={<Loading label="Loading the details" />}>
            <Details event={event} {...actions}>
              {event.parts > 0 && <Parts event={event} />}
            </Details>
          </Suspense>
        </div>
      )}
    </li>
  )
}

function Sentence({ event }: { event: AuditEvent }) {
  const { start, record, end } = sentenceOf(event)
  return (
    <p className={classes.sentence}>
      <strong className={classes.person}>{personOf(event)}</strong> {start}
      {record && <RecordLink event={event} name={record} />}
      {end}
    </p>
  )
}

/** The events that this one consists of, such as one per restored record. */
function Parts({ event: { id } }: { event: AuditEvent }) {
  const { data, error, refetch, ...more } = useInfiniteQuery(eventsQuery({ parent_id: id }))
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Loading label="Loading the parts" />
  return (
    <div>
      <ul className={classes.parts} aria-label="Parts of this event">
        {data.pages
          .flatMap(({ objects }) => objects)
          .map((part) => (
            <EventItem key={part.id} event={part} />
          ))}
      </ul>
      <ShowMore {...more} error={error} isAutomatic={false} loading="Loading more events" />
    </div>
  )
}

/** 'VM' for Vera Moroz. */
function initials(name: string) {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '')
    .join('')
}
