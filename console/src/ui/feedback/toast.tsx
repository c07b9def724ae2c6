import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/call.ts'
import { formatMomentsIn } from '../display/format.ts'
import classes from './toast.module.css'
import { hideToast, openToasts, showToast, type Toast } from './toast-store.ts'

const SHORT_MS = 6_000
/** Long enough to read, decide and reach the button. */
const LONG_MS = 12_000

const UNKNOWN = { text: SOMETHING_WENT_WRONG, status: undefined, message: '' }

/** The undo action, the message shown after it, and the label of its button if it is not 'Undo'. */
export type Undo = {
  run: () => Promise<unknown>
  done: string | (() => string)
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
          <Link {...link} className={classes.link} onClick={() => hideToast(id)}>
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
    hideToast(id)
    // The button that has the focus disappears.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    try {
      await run()
      const undo = next?.()
      toastSuccess(typeof done === 'string' ? done : done(), undo && { undo })
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
    <Link {...link} className={classes.link} onClick={() => hideToast(id)}>
      {linkLabel}
    </Link>
  )
  const id = show('error', text, LONG_MS, { more, isKept: true })
}

/** Hides the results of earlier actions, which would contradict a newer one. An Undo stays: it may still be needed. */
export function hideToasts() {
  for (const { id, isKept } of openToasts()) if (!isKept) hideToast(id)
}

type ShowOptions = { more: ReactNode; isKept?: boolean; name?: string | undefined }

function show(kind: Toast['kind'], text: string, closesAfterMs: number, options: ShowOptions) {
  const { more, isKept = false, name } = options
  hideToasts()
  for (const open of openToasts()) if (name && open.name === name) hideToast(open.id)
  const content = (
    <>
      <span className={classes.text}>{text}</span>
      {more}
    </>
  )
  return showToast({ kind, content, closesAfterMs, isKept, name })
}

function UndoButton({ label = 'Undo', onClick }: { label?: string; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-sm" onClick={onClick}>
      {label}
    </Button>
  )
}
