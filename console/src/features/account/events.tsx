import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { Days } from '../activity/shared/days-list.tsx'
import classes from './page.module.css'
import { accountEventsQuery } from './queries.ts'

const SHOWN_AT_FIRST = 10

/** The latest security events, newest first. */
export function Events() {
  const { data, error, refetch } = useQuery(accountEventsQuery)
  const [isWhole, setWhole] = useState(false)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Loading label="Loading the events" />
  const { objects } = data
  if (objects.length === 0) return <p>No security events yet.</p>
  return (
    <>
      <div className={classes.events}>
        <Days events={isWhole ? objects : objects.slice(0, SHOWN_AT_FIRST)} heading="h3" />
      </div>
      {!isWhole && objects.length > SHOWN_AT_FIRST && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setWhole(true)}>
            Show the latest {formatNumber(objects.length)}
          </Button>
        </div>
      )}
    </>
  )
}
