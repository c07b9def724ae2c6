import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { useState } from 'react'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toastError } from '../../ui/feedback/toast.tsx'
import { Changing } from '../../ui/page/can-change.tsx'
import { JobProgress } from '../jobs/shared/job-progress.tsx'
import { cancelOperation } from './queries.ts'
import { originName, titleOf } from './shared/words.ts'
import classes from './status.module.css'

/** The progress of an import in the background. */
export function Running({ shown }: { shown: Operation }) {
  return (
    <>
      {shown.summary && <p className={classes.result}>{shown.summary}</p>}
      <div className={classes.running}>
        <JobProgress shown={shown} label={`Progress of ${titleOf(shown)}`} />
        <Changing>{shown.job_id !== null && <CancelButton shown={shown} />}</Changing>
      </div>
    </>
  )
}

function CancelButton({ shown }: { shown: Operation }) {
  const client = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)

  async function cancel() {
    const what = whatOf(shown)
    const isConfirmed = await confirm({
      title: `Cancel the ${what} “${shown.undoes ? originName(shown) : (shown.summary ?? titleOf(shown))}”?`,
      text: 'Nothing is changed: what has been stored so far is discarded.',
      action: `Cancel ${what}`,
      cancel: what === 'import' ? 'Keep importing' : 'Let it continue',
    })
    if (!isConfirmed) return
    setCancelling(true)
    // The page shows that it is cancelled once it is.
    await cancelOperation(client, shown).catch((error) => {
      setCancelling(false)
      toastError(error)
    })
  }

  return (
    <Button variant="default" loading={isCancelling} onClick={() => void cancel()}>
      Cancel
    </Button>
  )
}

function whatOf(shown: Operation) {
  return shown.is_redo ? 'redo' : OPERATION_KINDS[shown.kind].what
}
