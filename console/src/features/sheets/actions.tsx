import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { SOMETHING_WENT_WRONG } from '@watchdesk/contract/errors'
import type { SheetFileQuery } from '@watchdesk/contract/sheets'
import { useRef } from 'react'
import { ApiError } from '../../api/call.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatBytes, formatCount, formatMomentsIn } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { hideToasts, toastSuccess } from '../../ui/feedback/toast.tsx'
import { TaskStatus } from '../../ui/file/task-status.tsx'
import { type Control, downloadTask, useTask } from '../../ui/file/use-task.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import classes from './actions.module.css'
import { downloadSheet, replaceSheet, type Shown, sheetQuery } from './queries.ts'

type ActionsProps = Shown & { onProblem: (text: string) => void }

/** Downloads or replaces a sheet. One action at a time, with its progress and a Cancel button. */
export function SheetActions({ sheet, outcome, onProblem }: ActionsProps) {
  const client = useQueryClient()
  const { place, status, run, cancel } = useTask((error) => onProblem(problemOf(error)))

  function clearResult() {
    onProblem('')
    hideToasts()
  }

  function download(format: SheetFileQuery['format']) {
    onProblem('')
    const task = downloadTask(`${sheet.title}.${format}`, (signal, onProgress) =>
      downloadSheet(sheet.id, { format, outcome }, signal, onProgress),
    )
    void run(format, task)
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
    await run('replace', { start: 'Uploading the file', run: (control) => send(file, control) })
  }

  async function send(file: File, { signal, show }: Control) {
    const onProgress = ({ loaded, total }: { loaded: number; total: number }) =>
      show(
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
  }

  if (status !== undefined) {
    return (
      <div ref={place} className={classes.actions}>
        <TaskStatus label="Working" status={status} onCancel={cancel} />
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
      <Changing>
        <ReplaceButton onFile={(file) => void replace(file)} />
      </Changing>
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
