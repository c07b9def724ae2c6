import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import type { Import } from '@watchdesk/contract/imports'
import { useEffect, useRef, useState } from 'react'
import { formatBytes, formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { hideToasts, toastError } from '../../ui/feedback/toast.tsx'
import { saveFile } from '../../ui/file/save-file.ts'
import classes from './actions.module.css'
import { downloadRows, type FileFormat } from './queries.ts'

/** Downloads the rows that failed, as a file that can be corrected and imported again. */
export function DownloadFailed({ shown, outcomes }: { shown: Import; outcomes: string[] }) {
  const running = useRef<AbortController>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState<string>()
  const isRunning = status !== undefined
  const count = outcomes.reduce((sum, outcome) => sum + (shown.counts[outcome] ?? 0), 0)
  useEffect(() => () => running.current?.abort(), [])

  // The button is replaced while a download runs, which would lose the focus.
  useEffect(() => {
    if (running.current && document.activeElement === document.body) {
      place.current?.querySelector<HTMLElement>(isRunning ? '[data-cancel]' : 'button')?.focus()
    }
  }, [isRunning])

  async function start(format: FileFormat) {
    const controller = new AbortController()
    running.current = controller
    hideToasts()
    setStatus('Preparing the file')
    try {
      const onProgress = (bytes: number) => setStatus(`Downloading: ${formatBytes(bytes)}`)
      const { file, name } = await downloadRows(shown.id, { format, outcome: outcomes }, controller.signal, onProgress)
      saveFile(file, name ?? `failed-rows.${format}`)
    } catch (error) {
      if (!controller.signal.aborted) toastError(error)
    } finally {
      setStatus(undefined)
    }
  }

  return (
    <div ref={place}>
      {isRunning ? (
        <div className={classes.status}>
          <Loading label="Downloading" />
          <span>{status}</span>
          <Button variant="default" data-cancel onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </div>
      ) : (
        <Menu position="bottom-end" withinPortal={false} transitionProps={{ duration: 100 }}>
          <Menu.Target>
            <Button variant="default" leftSection={<Icon name="download" />}>
              Download failed rows
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label className={classes.about}>
              {formatCount(count, 'row')} in the columns of an import file. Correct them, then import the file again.
            </Menu.Label>
            {(['csv', 'xlsx'] as const).map((format) => (
              <Menu.Item key={format} onClick={() => void start(format)}>
                {format.toUpperCase()} file
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
