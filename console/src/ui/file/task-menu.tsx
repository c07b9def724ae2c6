import { Button } from '@mantine/core'
import { Icon } from '../display/icon.tsx'
import { Menu, MenuItem } from '../menu/menu.tsx'
import classes from './task-menu.module.css'
import { TaskStatus } from './task-status.tsx'
import { type Task, useTask } from './use-task.ts'

type TaskMenuProps = {
  label: string
  /** The label while a task runs: 'Downloading'. */
  runningLabel: string
  /** Above the choices. */
  about?: string
  tasks: Record<string, Task>
}

/** A button with a menu of downloads, each by its label. The chosen one shows its progress in place of the button. */
export function TaskMenu({ label, runningLabel, about, tasks }: TaskMenuProps) {
  const { place, status, run, cancel } = useTask()
  return (
    <div ref={place}>
      {status !== undefined ? (
        <TaskStatus label={runningLabel} status={status} onCancel={cancel} />
      ) : (
        <Menu
          target={(props) => (
            <Button {...props} variant="default" data-name="menu" leftSection={<Icon name="download" />}>
              {label}
            </Button>
          )}
        >
          {about && <p className={classes.about}>{about}</p>}
          {Object.entries(tasks).map(([name, task]) => (
            <MenuItem key={name} onClick={() => void run('menu', task)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  )
}
