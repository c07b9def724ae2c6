import { Button } from '@mantine/core'
import { Loading } from '../feedback/loading.tsx'
import classes from './task-status.module.css'

type TaskStatusProps = { label: string; status: string; onCancel: () => void }

/** The status of a running task, with a Cancel button. */
export function TaskStatus({ label, status, onCancel }: TaskStatusProps) {
  return (
    <div className={classes.status}>
      <Loading label={label} />
      <span>{status}</span>
      <Button variant="default" data-name="cancel" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
