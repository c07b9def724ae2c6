import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import { Icon } from '../display/icon.tsx'
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
        <Menu position="bottom-end" withinPortal={false} transitionProps={{ duration: 100 }}>
          <Menu.Target>
            <Button variant="default" data-name="menu" leftSection={<Icon name="download" />}>
              {label}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {about && <Menu.Label className={classes.about}>{about}</Menu.Label>}
            {Object.entries(tasks).map(([name, task]) => (
              <Menu.Item key={name} onClick={() => void run('menu', task)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
