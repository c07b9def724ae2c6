import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import classes from './result.module.css'
import type { RunState } from './use-run.ts'

type RunProgressProps = { state: RunState; onCancel: () => void; onResume: () => void; onEnd: () => void }

export function RunProgress({ state, onCancel, onResume, onEnd }: RunProgressProps) {
  const { phase, isCancelling, total, results, error } = state
  const card = useRef<HTMLDivElement>(null)
  // The button that started it is gone, and with it the focus.
  useEffect(() => card.current?.focus({ preventScroll: true }), [])
  const isFailed = phase === 'failed'
  return (
    <div ref={card} className={classes.card} tabIndex={-1} aria-busy={!isFailed}>
      <h2 className={classes.title}>{isFailed ? 'Not all users could be added' : 'Adding users'}</h2>
      <Progress label="Adding users" share={results.length / total} tone={isFailed ? 'error' : undefined} />
      <p className={classes.note} role="status">
        {formatNumber(results.length)} of {formatCount(total, 'row')} done
        {isCancelling && '. Stopping after the rows that are under way.'}
      </p>
      {isFailed ? (
        <>
          <p className={classes.error} role="alert">
            {error}
          </p>
          <div className={classes.actions}>
            <Button onClick={onResume}>Try again</Button>
            <Button variant="default" onClick={onEnd}>
              Stop and show the result
            </Button>
          </div>
        </>
      ) : (
        <div className={classes.actions}>
          <Button variant="default" disabled={isCancelling} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}
