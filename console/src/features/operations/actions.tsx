import { Button } from '@mantine/core'
import { FAILED_OUTCOMES, type Operation } from '@watchdesk/contract/operations/operations'
import { lazy, Suspense } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import { useCanChange } from '../../ui/page/can-change.tsx'
import classes from './actions.module.css'
import { isUndo, undoLabel } from './shared/words.ts'
import { useUndo } from './use-undo.ts'

const DownloadFailed = lazy(() =>
  import('./download-failed.tsx').then((module) => ({ default: module.DownloadFailed })),
)

/** To the right of the heading. */
export function OperationActions({ shown }: { shown: Operation }) {
  const start = useUndo()
  const canChange = useCanChange()
  const failed = FAILED_OUTCOMES.filter((outcome) => (shown.counts[outcome] ?? 0) > 0)
  const isRedo = isUndo(shown)
  return (
    <div className={classes.actions}>
      {failed.length > 0 && shown.rows_count !== null && (
        <Suspense>
          <DownloadFailed shown={shown} outcomes={failed} />
        </Suspense>
      )}
      {canChange && shown.can_undo && (
        <Button
          variant="default"
          leftSection={<Icon name={isRedo ? 'redo' : 'undo'} />}
          onClick={() => start({ id: shown.id, of: shown, isRedo })}
        >
          {isRedo ? 'Redo' : undoLabel(shown)}
        </Button>
      )}
    </div>
  )
}
