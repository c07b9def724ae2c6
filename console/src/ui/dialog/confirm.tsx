import { Button } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'
import { dialogsReady } from './dialogs.tsx'

type Question = {
  /** The prompt itself. */
  title: string
  /** Names what is lost. */
  text?: ReactNode
  /** A list of it, below. */
  details?: ReactNode
  action: string
  cancel?: string
}

/** Asks before something is lost; true when the person goes on. */
export function confirm({ title, text, details, action, cancel = 'Cancel' }: Question): Promise<boolean> {
  return openDialog<boolean>(title, false, (answer) => (
    <>
      {text && <p className={classes.text}>{text}</p>}
      {details}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          {cancel}
        </Button>
        <Button color="red" onClick={() => answer(true)}>
          {action}
        </Button>
      </div>
    </>
  ))
}

let isAsking = false

/** Shows a dialog and waits for its answer; closing it in any other way answers `closed`. A double click asks once. */
export async function openDialog<Answer>(
  title: ReactNode,
  closed: Answer,
  content: (answer: (value: Answer) => void) => ReactNode,
  size: string = 'md',
): Promise<Answer> {
  if (isAsking) return closed
  isAsking = true
  try {
    await dialogsReady()
    return await new Promise((resolve) => {
      let given = closed
      const id = modals.open({
        title,
        size,
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 120 },
        onClose: () => resolve(given),
        children: content((value) => {
          given = value
          modals.close(id)
        }),
      })
    })
  } finally {
    isAsking = false
  }
}
