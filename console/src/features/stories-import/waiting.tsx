import { Button } from '@mantine/core'
import type { Progress as Sent } from '../../api/upload.ts'
import { formatBytes } from '../../ui/display/format.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import classes from './import-form.module.css'

type WaitingProps = { progress: Sent; onCancel: () => void }

/** The upload can be cancelled; the import on the server cannot. */
export function Waiting({ progress: { loaded, total }, onCancel }: WaitingProps) {
  if (loaded >= total) {
    return (
      <div className={classes.working}>
        <Loading label="Importing" />
        <span>Upload complete. The server is checking and importing the stories.</span>
      </div>
    )
  }
  return (
    <div className={classes.uploading}>
      <div className={classes.sent}>
        <span>
          Uploading {formatBytes(loaded)} of {formatBytes(total)}
        </span>
        <Progress label="Upload" share={total > 0 ? loaded / total : 0} />
      </div>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
