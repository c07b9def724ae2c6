import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '../display/format.ts'
import { hideToasts, toastError } from '../feedback/toast.tsx'
import { saveFile } from './save-file.ts'

export type Control = { signal: AbortSignal; show: (status: string) => void }

export type Task = {
  /** Its status in the beginning. */
  start: string
  run: (control: Control) => Promise<void>
}

/**
 * Runs one task at a time, with its status and a way to cancel it; leaving the page cancels it too. The buttons in `place`
 * are replaced by a Cancel button (with the `data-name` 'cancel') while it runs: the focus moves there, and back to the one
 * whose `data-name` is given.
 */
export function useTask(onError: (error: unknown) => void = toastError) {
  const running = useRef<AbortController>(undefined)
  const pressed = useRef<string>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState<string>()
  const isRunning = status !== undefined
  useEffect(() => () => running.current?.abort(), [])

  useEffect(() => {
    if (pressed.current === undefined || document.activeElement !== document.body) return
    place.current?.querySelector<HTMLElement>(`[data-name=${isRunning ? 'cancel' : pressed.current}]`)?.focus()
  }, [isRunning])

  async function run(name: string, task: Task) {
    pressed.current = name
    const controller = new AbortController()
    running.current = controller
    hideToasts()
    setStatus(task.start)
    try {
      await task.run({ signal: controller.signal, show: setStatus })
    } catch (error) {
      if (!controller.signal.aborted) onError(error)
    } finally {
      setStatus(undefined)
    }
  }

  return { place, status, run, cancel: () => running.current?.abort() }
}

type Download = (signal: AbortSignal, onProgress: (bytes: number) => void) => Promise<Downloaded>
type Downloaded = { file: Blob; name: string | undefined }

/** A task that saves a file of the server under the name that the server gives it, or else `fallback`. */
export function downloadTask(fallback: string, download: Download): Task {
  return {
    start: 'Preparing the file',
    async run({ signal, show }) {
      const { file, name } = await download(signal, (bytes) => show(`Downloading: ${formatBytes(bytes)}`))
      saveFile(file, name ?? fallback)
    },
  }
}
