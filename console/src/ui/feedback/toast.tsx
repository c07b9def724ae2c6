import { Button } from '@mantine/core'
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications'
import { Link, type LinkProps } from '@tanstack/react-router'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/call.ts'
import { formatMomentsIn } from '../display/format.ts'
import { Icon } from '../display/icon.tsx'
import classes from './toast.module.css'

const SHORT_MS = 6_000
/** Long enough to read, decide and reach the button. */
const LONG_MS = 12_000

const UNKNOWN = { text: SOMETHING_WENT_WRONG, status: undefined, message: '' }

/** The undo action, the message shown after it, and the label of its button if it is not 'Undo'. */
export type Undo = {
  run: () => Promise<unknown>
  done: string
  label?: string
  /** What takes the undo back, once it is done. */
  next?: () => Undo | undefined
}

type More = {
  undo?: Undo
  /** A link to what the message is about. */
  link?: Pick<LinkProps, 'to' | 'params' | 'search'>
  linkLabel?: string
  /** Something else to know, below the message. */
  note?: string
  /** Replaces an earlier message of this name, whose undo would contradict this one. */
  name?: string
  /** The message is about something that happened in the background: results of actions do not replace it. */
  isKept?: boolean
}

export function toastSuccess(text: string, { undo, link, linkLabel = 'Show', note, name, isKept = false }: More = {}) {
  const id = show('success', text, undo || link || note ? LONG_MS : SHORT_MS, {
    more: (
      <>
        {link && (
          <Link {...link} className={classes.link} onClick={() => notifications.hide(id)}>
            {linkLabel}
          </Link>
        )}
        {undo && <UndoButton label={undo.label} onClick={() => void take(undo)} />}
        {note && <span className={classes.hint}>{note}</span>}
      </>
    ),
    isKept: isKept || undo !== undefined,
    name,
  })

  async function take({ run, done, next }: Undo) {
    notifications.hide(id)
    try {
      await run()
      const undo = next?.()
      toastSuccess(done, undo && { undo })
    } catch (error) {
      toastError(error)
    }
  }
}

/**
 * Shows an error: the server's detail if there is one, otherwise a general message. Without a response, also the cause.
 */
export function toastError(error: unknown, link?: { label: string; to: string }) {
  const { text, status, message } = error instanceof ApiError ? error : UNKNOWN
  const hint = status === 0 && message !== text && message
  const more = link ? (
    <Link to={link.to} className={classes.link}>
      {link.label}
    </Link>
  ) : (
    hint && <span className={classes.hint}>{hint}</span>
  )
  show('error', formatMomentsIn(text), LONG_MS, { more })
}

/** Something failed in the background. */
export function toastFailure(text: string, { link, linkLabel = 'Show' }: Pick<More, 'link' | 'linkLabel'> = {}) {
  const more = link && (
    <Link {...link} className={classes.link} onClick={() => notifications.hide(id)}>
      {linkLabel}
    </Link>
  )
  const id = show('error', text, LONG_MS, { more, isKept: true })
}

/** Hides the results of earlier actions, which would contradict a newer one. An Undo stays: it may still be needed. */
export function hideToasts() {
  for (const shown of notificationsStore.getState().notifications) {
    if (shown.id && !shown['data-kept']) notifications.hide(shown.id)
  }
}

type ShowOptions = { more: ReactNode; isKept?: boolean; name?: string | undefined }

function show(kind: 'success' | 'error', text: string, autoClose: number, options: ShowOptions) {
  const { more, isKept = false, name } = options
  hideToasts()
  if (name) notifications.hide(name)
  const toast: NotificationData = {
    ...(name && { id: name }),
    autoClose,
    // The library keeps a message open on hover only.
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
    'data-kept': isKept || undefined,
  }
  const id = notifications.show(toast)
  return id
}

function UndoButton({ label = 'Undo', onClick }: { label?: string; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {label}
    </Button>
  )
}
