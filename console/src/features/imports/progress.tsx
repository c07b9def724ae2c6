import type { Import } from '@watchdesk/contract/imports'
import { useRef } from 'react'
import { formatCount, formatDuration, formatNumber } from '../../ui/display/format.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import classes from './progress.module.css'
import { titleOf } from './shared/words.ts'

type Steps = NonNullable<Import['progress']>['step']

const STEPS: Record<Steps, string> = {
  waiting: 'Waiting for other imports',
  checking: 'Checking the rows',
  storing: 'Storing the rows',
  verifying: 'Verifying what was stored',
}
/** A rate over less time would jump. */
const MEASURED_MS = 1_000

/** In a list: the bar and the count. */
export function SmallProgress({ shown }: { shown: Import }) {
  const { progress } = shown
  if (!progress) return STEPS.waiting
  return (
    <span className={classes.small} data-block>
      <Progress label={`Progress of ${titleOf(shown)}`} share={shareOf(progress)} />
      <span className={classes.words}>
        {stepOf(shown)}
        {countOf(progress)}
      </span>
    </span>
  )
}

/** On the page of an import: also the rate, and the time left. */
export function LargeProgress({ shown }: { shown: Import }) {
  const { progress } = shown
  const rate = useRate(progress)
  const left = progress?.total && rate ? ((progress.total - progress.done) / rate) * 1000 : undefined
  const parts = [rate && `${formatNumber(rate)} rows per second`, left && `about ${formatDuration(left)} left`]
  return (
    <div className={classes.large}>
      <p className={classes.step} role="status">
        {stepOf(shown)}
      </p>
      {progress && <Progress label={`Progress of ${titleOf(shown)}`} share={shareOf(progress)} />}
      <p className={classes.words}>{[progress && countOf(progress).slice(2), ...parts].filter(Boolean).join(' · ')}</p>
    </div>
  )
}

type Shown = NonNullable<Import['progress']>

/** 'Storing the rows' by its kind. */
function stepOf({ kind, progress }: Import) {
  if (progress?.step === 'storing' && kind === 'undo') return 'Undoing the changes'
  if (progress?.step === 'storing' && kind === 'sources_change') return 'Changing the sources'
  return STEPS[progress?.step ?? 'waiting']
}

/** Storing may have no progress of its own. */
function isUnknown({ step, done }: Shown) {
  return step === 'storing' && done === 0
}

function shareOf(shown: Shown) {
  const { done, total } = shown
  if (isUnknown(shown)) return undefined
  return total ? done / total : 0
}

function countOf(shown: Shown) {
  const { step, done, total } = shown
  if (step === 'waiting') return ''
  if (isUnknown(shown)) return total === null ? '' : `: ${formatCount(total, 'row')}`
  return `: ${formatNumber(done)}${total === null ? '' : ` of ${formatNumber(total)}`}`
}

/** Rows per second, measured since the step began. */
function useRate(progress: Import['progress']) {
  const start = useRef<{ step: Steps; done: number; at: number }>(undefined)
  if (!progress || progress.step === 'waiting') return
  const now = Date.now()
  if (start.current?.step !== progress.step) start.current = { step: progress.step, done: progress.done, at: now }
  const ms = now - start.current.at
  const rows = progress.done - start.current.done
  return ms < MEASURED_MS || rows <= 0 ? undefined : Math.round((rows / ms) * 1000)
}
