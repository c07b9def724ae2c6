import type { Job, JobProgress as Now } from '@watchdesk/contract/jobs'
import { useEffect, useRef, useState } from 'react'
import { formatDuration, formatNumber } from '../../../ui/display/format.ts'
import { Progress } from '../../../ui/feedback/progress.tsx'
import classes from './job-card.module.css'

const STEPS: Record<Now['step'], string> = {
  waiting: 'Waiting for other imports',
  checking: 'Checking the rows',
  storing: 'Storing the rows',
  verifying: 'Verifying what was stored',
}
/** A rate over less time would jump. */
const MEASURED_MS = 1_000
const LONG_MS = 5_000
const WAITING: Now = { step: 'waiting', done: 0, total: null }

/** The step, its bar and count, the rate and the time left. */
export function JobProgress({ job: { name, progress } }: { job: Job }) {
  const now = progress ?? WAITING
  const rate = useRate(now)
  const isLong = useIsLong()
  const left = now.total && rate ? ((now.total - now.done) / rate) * 1000 : undefined
  const texts = [
    countOf(now),
    rate && `${formatNumber(rate)} rows per second`,
    left && `about ${formatDuration(left)} left`,
  ]
  return (
    <div className={classes.progress}>
      <p className={classes.heading} role="status">
        {STEPS[now.step]}: {name}
      </p>
      <Progress label={`Import of ${name}`} share={shareOf(now)} />
      <p className={classes.soft}>{texts.filter(Boolean).join(' · ')}</p>
      {isLong && (
        <p className={classes.soft}>
          You can leave this page. It continues in the background. You will see a message when it ends.
        </p>
      )}
    </div>
  )
}

/** Storing has no progress of its own. */
function shareOf({ step, done, total }: Now) {
  if (step === 'storing' && done === 0) return undefined
  return total ? done / total : 0
}

function countOf({ step, done, total }: Now) {
  if (step === 'waiting') return ''
  if (step === 'storing' && done === 0) return total === null ? '' : `${formatNumber(total)} rows`
  return `${formatNumber(done)}${total === null ? '' : ` of ${formatNumber(total)}`} rows`
}

/** Rows per second, measured since the step began. */
function useRate({ step, done }: Now) {
  const start = useRef<{ step: Now['step']; done: number; at: number }>(undefined)
  if (step === 'waiting') return
  const at = Date.now()
  if (start.current?.step !== step) start.current = { step, done, at }
  const ms = at - start.current.at
  const rows = done - start.current.done
  return ms < MEASURED_MS || rows <= 0 ? undefined : Math.round((rows / ms) * 1000)
}

/** Whether it has taken longer than people like to wait. */
function useIsLong() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLong
}
