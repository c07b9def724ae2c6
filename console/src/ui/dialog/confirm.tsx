import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'
import { openDialog } from './dialogs.tsx'

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
