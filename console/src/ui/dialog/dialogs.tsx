import { useLocation } from '@tanstack/react-router'
import { Fragment, lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import type { DialogProps } from './dialog.tsx'

const Dialog = lazy(() => import('./dialog.tsx').then((module) => ({ default: module.Dialog })))

/** The last opened dialog: its content stays while it fades out. */
let current: DialogProps | undefined
let opened = 0
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(dialog: DialogProps) {
  current = dialog
  for (const listener of listeners) listener()
}

/** For what is below a dialog and would also close with Escape. */
export function useIsDialogOpen() {
  return useSyncExternalStore(subscribe, () => current?.isOpen ?? false)
}

/** Renders the open dialog. The code is loaded with the first dialog, because most visits show none. */
export function Dialogs() {
  const dialog = useSyncExternalStore(subscribe, () => current)
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog is about the page that it was opened on
  useEffect(() => closeDialog, [page])
  return (
    dialog && (
      <Suspense>
        <Dialog key={dialog.id} {...dialog} />
      </Suspense>
    )
  )
}

/**
 * Runs work whose result is shown only once. From its start, only the buttons of the dialog close it, so that the result
 * is not lost; if the work fails, it can be closed as before.
 */
export async function holdDialog<Result>(work: () => Promise<Result>): Promise<Result> {
  const id = current?.id
  setFirm(true)
  try {
    return await work()
  } catch (error) {
    setFirm(false)
    throw error
  }

  /** Another dialog may be open when the work ends. */
  function setFirm(isFirm: boolean) {
    if (current && current.id === id) show({ ...current, isFirm })
  }
}

/** Closes the open dialog, like its close button. */
export function closeDialog() {
  if (current?.isOpen) current.onClose()
}

/** Shows a dialog and waits for the result; closing it resolves to `closed`. A double click opens one dialog only. */
export async function openDialog<Answer>(
  title: ReactNode,
  closed: Answer,
  content: (answer: (value: Answer) => void) => ReactNode,
  size: string = 'md',
): Promise<Answer> {
  if (current?.isOpen) return closed
  return new Promise((resolve) => {
    function answer(value: Answer) {
      // A second click while it fades out would close the next dialog.
      if (current?.id === id) show({ ...current, isOpen: false })
      resolve(value)
    }
    opened += 1
    const id = opened
    // Otherwise a dialog would start with what was entered in one that still fades out.
    const own = <Fragment key={id}>{content(answer)}</Fragment>
    show({ id, title, size, content: own, isOpen: true, isFirm: false, onClose: () => answer(closed) })
  })
}
