import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { AuditFilters } from '@watchdesk/contract/activity'
import type { ReactNode } from 'react'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { eventsQuery } from '../queries.ts'
import { Days } from './days-list.tsx'
import type { EventActions } from './event.tsx'
import classes from './events.module.css'

/** This many pages load when they come into view; more only with the button, so that the page stays light. */
const AUTOMATIC_PAGES = 6

type EventsProps = EventActions & {
  filters: AuditFilters
  empty: ReactNode
  /** The level of the headings of the days. */
  heading?: 'h2' | 'h3'
}

/** Events by day, newest first. */
export function Events({ filters, empty, heading = 'h2', ...actions }: EventsProps) {
  const { data, error, refetch, isPlaceholderData, ...more } = useInfiniteQuery({
    ...eventsQuery(filters),
    placeholderData: keepPreviousData,
  })
  if (error && !data) {
    return (
      <div className={classes.note}>
        <Failed error={error} retry={() => void refetch()} />
      </div>
    )
  }
  // The previous events do not match the filters.
  if (isPlaceholderData && more.fetchStatus === 'paused')
    return <p className={classes.note}>You are offline. The events appear when you are online again.</p>
  if (!data) return <Skeleton />
  const events = data.pages.flatMap(({ objects }) => objects)
  if (events.length === 0) return <div className={classes.note}>{empty}</div>
  return (
    <div className={classes.list} aria-busy={isPlaceholderData}>
      <Days events={events} heading={heading} {...actions} />
      <ShowMore
        {...more}
        error={error}
        isAutomatic={data.pages.length < AUTOMATIC_PAGES}
        loading="Loading more events"
      />
    </div>
  )
}

/** Rows of the same height as the events. */
function Skeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading events">
      <p className={classes.heading}>
        <span className={classes.bone} style={{ width: '6rem' }} />
      </p>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={index} className={classes.skeleton}>
          <span className={classes.bone} style={{ width: `${34 + ((index * 17) % 30)}%` }} />
        </div>
      ))}
    </div>
  )
}
