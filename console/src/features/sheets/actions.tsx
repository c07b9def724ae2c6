import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import type { SheetFileQuery } from '@watchdesk/contract/sheets'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatBytes, formatCount, formatMomentsIn } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { hideToasts, toastSuccess } from '../../ui/feedback/toast.tsx'
import { saveFile } from '../../ui/file/save-file.ts'
import classes from './actions.module.css'
import { downloadSheet, replaceSheet, type Shown, sheetQuery } from './queries.ts'

type Name = SheetFileQuery['format'] | 'replace'
type ActionsProps = Shown & { onProblem: (text: string) => void }

/** Downloads or replaces a sheet. One action at a time, with its progress and a Cancel button. */
export function SheetActions({ sheet, outcome, onProblem }: ActionsProps) {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const pressed = useRef<Name>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState<string>()
  const isRunning = status !== undefined
  useEffect(() => () => running.current?.abort(), [])

  // The buttons are replaced while an action runs, which would lose the focus.
  useEffect(() => {
    if (pressed.current === undefined || document.activeElement !== document.body) return
    const next = isRunning ? 'cancel' : pressed.current
    place.current?.querySelector<HTMLElement>(`[data-name=${next}]`)?.focus()
  }, [isRunning])

  function clearResult() {
    onProblem('')
    hideToasts()
  }

  async function run(name: Name, start: string, action: (signal: AbortSignal) => Promise<void>) {
    pressed.current = name
    const controller = new AbortController()
    running.current = controller
    clearResult()
    setStatus(start)
    try {
      await action(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) onProblem(problemOf(error))
    } finally {
      setStatus(undefined)
    }
  }

  function download(format: SheetFileQuery['format']) {
    void run(format, 'Preparing the file', async (signal) => {
      const onProgress = (bytes: number) => setStatus(`Downloading: ${formatBytes(bytes)}`)
      const { file, name } = await downloadSheet(sheet.id, { format, outcome }, signal, onProgress)
      saveFile(file, name ?? `${sheet.title}.${format}`)
    })
  }

  async function replace(file: File) {
    clearResult()
    if (!/\.(csv|xlsx)$/i.test(file.name)) return onProblem('File must be of type csv or xlsx.')
    const isConfirmed = await confirm({
      title: `Replace this sheet with ${file.name}?`,
      text: `The columns and ${formatCount(sheet.row_count, 'row')} of “${sheet.title}” are replaced by those in the file. To keep a copy, download the sheet first.`,
      action: 'Replace',
    })
    if (!isConfirmed) return
    await run('replace', 'Uploading the file', async (signal) => {
      const onProgress = ({ loaded, total }: { loaded: number; total: number }) =>
        setStatus(
          loaded < total
            ? `Uploading: ${formatBytes(loaded)} of ${formatBytes(total)}`
            : 'The server is reading the file',
        )
      try {
        const replaced = await replaceSheet(sheet, { file, signal, onProgress })
        toastSuccess(`Sheet replaced. It now has ${formatCount(replaced.row_count, 'row')}.`)
      } finally {
        // On a version conflict too: the page then shows the current sheet, and the next attempt uses its version.
        await client.invalidateQueries({ queryKey: sheetQuery(sheet.id).queryKey })
      }
    })
  }

  if (status !== undefined) {
    return (
      <div ref={place} className={classes.status}>
        <Loading label="Working" />
        <span>{status}</span>
        <Button variant="default" data-name="cancel" onClick={() => running.current?.abort()}>
          Cancel
        </Button>
      </div>
    )
  }
  return (
    <div ref={place} className={classes.actions}>
      {(['csv', 'xlsx'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          data-name={format}
          leftSection={<Icon name="download" />}
          onClick={() => download(format)}
        >
          Download {format.toUpperCase()}
        </Button>
      ))}
      <ReplaceButton onFile={(file) => void replace(file)} />
    </div>
  )
}

function ReplaceButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.xlsx"
        hidden
        aria-label="File to replace the sheet with"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Otherwise `change` would not fire when the same, edited file is chosen again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
      <Button
        variant="default"
        data-name="replace"
        leftSection={<Icon name="upload" />}
        onClick={() => input.current?.click()}
      >
        Replace with a file
      </Button>
    </>
  )
}

function problemOf(error: unknown) {
  if (!(error instanceof ApiError)) return SOMETHING_WENT_WRONG
  if (error.status !== 412) return error.text
  return `${formatMomentsIn(error.text)} Nothing was replaced. This page now shows the current sheet: check it, then choose your file again.`
}
