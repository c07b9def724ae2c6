import { Button } from '@mantine/core'
import { FAILED_OUTCOMES, type Import } from '@watchdesk/contract/imports'
import { lazy, Suspense } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import classes from './actions.module.css'
import { nameOf } from './shared/words.ts'
import { useUndo } from './use-undo.ts'

const DownloadFailed = lazy(() =>
  import('./download-failed.tsx').then((module) => ({ default: module.DownloadFailed })),
)

/** To the right of the heading. */
export function ImportActions({ shown }: { shown: Import }) {
  const start = useUndo()
  const failed = FAILED_OUTCOMES.filter((outcome) => (shown.counts[outcome] ?? 0) > 0)
  // Undoing a redo is an undo again.
  const isRedo = shown.kind === 'undo' && !shown.is_redo
  return (
    <div className={classes.actions}>
      {failed.length > 0 && shown.rows_count !== null && (
        <Suspense>
          <DownloadFailed shown={shown} outcomes={failed} />
        </Suspense>
      )}
      {shown.can_undo && (
        <Button
          variant="default"
          leftSection={<Icon name={isRedo ? 'redo' : 'undo'} />}
          onClick={() => start({ id: shown.id, name: nameOf(shown.undoes ?? shown), isRedo })}
        >
          {isRedo ? 'Redo' : 'Undo import'}
        </Button>
      )}
    </div>
  )
}
