import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog.module.css'
import { openDialog } from './dialogs.tsx'

export type Question = {
  /** The question. */
  title: string
  /** What will be lost. */
  text?: ReactNode
  /** A list of items, below the text. */
  details?: ReactNode
  action: string
  cancel?: string
}

/** Asks before something is lost; resolves to true if the user confirms. */
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
