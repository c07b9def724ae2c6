import type { JobProgress as Now } from '@watchdesk/contract/jobs'
import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import { useEffect, useRef, useState } from 'react'
import { formatCount, formatDuration, formatNumber } from '../../../ui/display/format.ts'
import { Progress } from '../../../ui/feedback/progress.tsx'
import { KINDS } from '../../operations/shared/kinds.ts'
import classes from './job-progress.module.css'

const STEPS: Record<Now['step'], string> = {
  waiting: 'Waiting to start',
  checking: 'Checking the rows',
  storing: 'Storing the rows',
  verifying: 'Verifying what was stored',
}

/** A rate over less time would jump. */
const MEASURED_MS = 1_000
const LONG_MS = 5_000
const WAITING: Now = { step: 'waiting', done: 0, total: null }

/** What a job or the import of a job has in common. */
type Shown = { kind: OperationKindName; progress: Now | null; created_at: string }

/** The step, its bar and count, the rate and the time left. After a while, also that the page can be left. */
export function JobProgress({ shown, name, label }: { shown: Shown; name?: string; label: string }) {
  const now = shown.progress ?? WAITING
  const rate = useRate(now)
  const isLong = useIsLong(shown.created_at)
  const left = now.total && rate ? ((now.total - now.done) / rate) * 1000 : undefined
  const texts = [
    countText(now),
    rate && `${formatNumber(rate)} rows per second`,
    left && `about ${formatDuration(left)} left`,
  ]
  return (
    <div className={classes.progress}>
      <p className={classes.step} role="status">
        {stepText(shown)}
        {name !== undefined && `: ${name}`}
      </p>
      <Progress label={label} share={shareOf(now)} />
      <p className={classes.words}>{texts.filter(Boolean).join(' · ')}</p>
      {isLong && (
        <p className={classes.words}>
          You can leave this page. It continues in the background. You will see a message when it ends.
        </p>
      )}
    </div>
  )
}

/** In a list: the bar, the step and the count. */
export function SmallJobProgress({ shown, label }: { shown: Shown; label: string }) {
  const { progress } = shown
  if (!progress) return STEPS.waiting
  return (
    <span className={classes.small} data-block>
      <Progress label={label} share={shareOf(progress)} />
      <span className={classes.words}>{[stepText(shown), countText(progress)].filter(Boolean).join(': ')}</span>
    </span>
  )
}

function stepText({ kind, progress }: Shown) {
  const { step } = progress ?? WAITING
  return (step === 'storing' && KINDS[kind].storing) || STEPS[step]
}

/** Storing may have no progress of its own. */
function isUnknown({ step, done }: Now) {
  return step === 'storing' && done === 0
}

function shareOf(now: Now) {
  if (isUnknown(now)) return undefined
  return now.total ? now.done / now.total : 0
}

function countText(now: Now) {
  const { step, done, total } = now
  if (step === 'waiting') return ''
  if (total === null) return isUnknown(now) ? '' : formatCount(done, 'row')
  return isUnknown(now) ? formatCount(total, 'row') : `${formatNumber(done)} of ${formatCount(total, 'row')}`
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
function useIsLong(since: string) {
  const [isLong, setLong] = useState(() => Date.now() - Date.parse(since) >= LONG_MS)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), Math.max(0, LONG_MS - (Date.now() - Date.parse(since))))
    return () => clearTimeout(timer)
  }, [since])
  return isLong
}
