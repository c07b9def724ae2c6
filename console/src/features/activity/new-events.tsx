import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuditFilters } from '@watchdesk/contract/activity'
import { type RefObject, useState } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import { toastError } from '../../ui/feedback/toast.tsx'
import classes from './page.module.css'
import { eventsQuery, MANY, newEventsQuery, readPage } from './queries.ts'

type NewEventsProps = {
  filters: AuditFilters
  /** Gets the focus when the new events are shown. */
  list: RefObject<HTMLElement | null>
}

/** A button with the number of events that are newer than the list. They appear only when it is pressed. */
export function NewEvents({ filters, list }: NewEventsProps) {
  const { data } = useInfiniteQuery({ ...eventsQuery(filters), enabled: false })
  const newest = data?.pages[0]?.newest
  const { data: { count } = { count: 0 } } = useQuery({
    ...newEventsQuery(filters, newest ?? ''),
    enabled: newest !== undefined,
  })
  const client = useQueryClient()
  const [isLoading, setLoading] = useState(false)
  const text = count >= MANY ? `${MANY - 1}+ new` : `${count} new`

  async function show() {
    setLoading(true)
    try {
      const page = await readPage(filters)
      client.setQueryData(eventsQuery(filters).queryKey, { pages: [page], pageParams: [undefined] })
      window.scrollTo({ top: 0 })
      list.current?.focus({ preventScroll: true })
    } catch (error) {
      toastError(error)
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className={classes.new}>
      {/* Always there, because screen readers announce only changes of a region that exists. */}
      <span className="visually-hidden" role="status">
        {count > 0 && `${text} ${count === 1 ? 'event' : 'events'}`}
      </span>
      {count > 0 && (
        <Button
          size="compact-md"
          loading={isLoading}
          leftSection={<Icon name="chevron-up" size={16} />}
          onClick={() => void show()}
        >
          {text}
        </Button>
      )}
    </div>
  )
}
