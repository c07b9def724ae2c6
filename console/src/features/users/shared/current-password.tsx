import { Button } from '@mantine/core'
import type { SubmitEvent } from 'react'
import classes from '../../../ui/dialog/dialog.module.css'
import { openDialog } from '../../../ui/dialog/dialogs.tsx'
import { PasswordInput } from '../../../ui/form/password-input.tsx'

/** Undefined if the dialog is cancelled. */
export function askCurrentPassword(reason: string, isWrong: boolean): Promise<string | undefined> {
  return openDialog<string | undefined>('Confirm with your current password', undefined, (answer) => (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        const given = String(new FormData(event.currentTarget).get('current_password'))
        if (given !== '') answer(given)
      }}
    >
      {!isWrong && <p className={classes.text}>{reason}</p>}
      <PasswordInput
        name="current_password"
        label="Current password"
        autoComplete="current-password"
        error={isWrong && reason}
        data-autofocus
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={() => answer(undefined)}>
          Cancel
        </Button>
        <Button type="submit">Confirm</Button>
      </div>
    </form>
  ))
}
