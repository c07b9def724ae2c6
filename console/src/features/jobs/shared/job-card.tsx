import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Job } from '@watchdesk/contract/jobs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../../../ui/display/icon.tsx'
import { toastError } from '../../../ui/feedback/toast.tsx'
import { cancelJob, isUnfinished, keepJob } from '../queries.ts'
import classes from './job-card.module.css'
import { JobProgress } from './job-progress.tsx'
import { showJob } from './shown-jobs.ts'

type JobCardProps = {
  job: Job
  /** The result of a job that is done. */
  children: ReactNode
}

/** The progress of a job, with a button to cancel it, and then its result. */
export function JobCard({ job, children }: JobCardProps) {
  useEffect(() => showJob(job.id), [job.id])
  if (job.state === 'done') return children
  return isUnfinished(job) ? <Running job={job} /> : <NotDone job={job} />
}

function Running({ job }: { job: Job }) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const isCancelled = isAsked || job.is_cancelled

  async function cancel() {
    setAsked(true)
    try {
      keepJob(client, await cancelJob(job.id))
    } catch (error) {
      setAsked(false)
      toastError(error)
    }
  }

  return (
    <section className={classes.card} aria-label={`Import of ${job.name}`}>
      <JobProgress shown={job} name={job.name} label={`Import of ${job.name}`} />
      <Button variant="default" onClick={cancel} disabled={isCancelled}>
        {isCancelled ? 'Cancelling…' : 'Cancel'}
      </Button>
    </section>
  )
}

/** An icon and a heading tell a failed job from a cancelled one, not only a color. */
function NotDone({ job: { state, name, error } }: { job: Job }) {
  const card = useRef<HTMLDivElement>(null)
  // The focus was on the button, which is gone.
  useEffect(() => {
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true })
  }, [])
  const isFailed = state === 'failed'
  return (
    <div ref={card} className={classes.ended} data-state={state} role={isFailed ? 'alert' : 'status'} tabIndex={-1}>
      <Icon name={isFailed ? 'alert' : 'close'} size={20} />
      <div>
        <p className={classes.heading}>
          {isFailed ? 'Import failed' : 'Import cancelled'}: {name}
        </p>
        {error && <p className={classes.reason}>{error}</p>}
        <p className={classes.reason}>Nothing was imported.</p>
      </div>
    </div>
  )
}
