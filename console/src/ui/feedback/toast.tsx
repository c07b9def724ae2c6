import { Button } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { Link, type LinkProps } from '@tanstack/react-router'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/call.ts'
import { Icon } from '../display/icon.tsx'
import classes from './toast.module.css'

const SHORT_MS = 6_000
/** Long enough to read, decide and reach the button. */
const LONG_MS = 12_000

const UNKNOWN = { text: SOMETHING_WENT_WRONG, status: undefined, message: '' }

/** How to take it back, and what is said once that is done. */
type Undo = { run: () => Promise<unknown>; done: string }

type More = {
  undo?: Undo
  /** Where what the text speaks of is found. */
  link?: Pick<LinkProps, 'to' | 'params' | 'search'>
}

export function toastSuccess(text: string, { undo, link }: More = {}) {
  const more = undo ? (
    <UndoButton onClick={() => void take(undo)} />
  ) : (
    link && (
      <Link {...link} className={classes.link} onClick={() => notifications.hide(id)}>
        Show
      </Link>
    )
  )
  hideErrors()
  const id = show('success', text, more ? LONG_MS : SHORT_MS, more)

  async function take({ run, done }: Undo) {
    notifications.hide(id)
    try {
      await run()
      toastSuccess(done)
    } catch (error) {
      toastError(error)
    }
  }
}

/** Says what went wrong, by the general rule: the server's detail when there is one. Without any answer, also why. */
export function toastError(error: unknown) {
  const { text, status, message } = error instanceof ApiError ? error : UNKNOWN
  const hint = status === 0 && message !== text && message
  show('error', text, LONG_MS, hint && <span className={classes.hint}>{hint}</span>)
}

/** An error of an earlier try next to a success would leave open which of the two is true. */
function hideErrors() {
  for (const shown of notificationsStore.getState().notifications) {
    if (shown.id && shown['data-kind'] === 'error') notifications.hide(shown.id)
  }
}

function show(kind: 'success' | 'error', text: string, autoClose: number, more?: ReactNode) {
  const toast: NotificationData = {
    autoClose,
    // The library keeps a message open under the pointer only.
    onFocus: () => notifications.update({ ...toast, id, autoClose: false }),
    onBlur: () => notifications.update({ ...toast, id }),
    withBorder: true,
    color: kind === 'success' ? 'petrol' : 'red',
    icon: <Icon name={kind === 'success' ? 'check' : 'alert'} />,
    message: (
      <div className={classes.message}>
        <span className={classes.text}>{text}</span>
        {more}
      </div>
    ),
    closeButtonProps: { 'aria-label': 'Close message' },
    classNames: { root: classes.toast, icon: classes.icon },
    'data-kind': kind,
  }
  const id = notifications.show(toast)
  return id
}

function UndoButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      Undo
    </Button>
  )
}
