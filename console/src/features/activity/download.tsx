import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import type { AuditFilters } from '@watchdesk/contract/audit'
import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { hideToasts, toastError } from '../../ui/feedback/toast.tsx'
import { saveFile } from '../../ui/file/save-file.ts'
import classes from './page.module.css'
import { downloadEvents, type FileFormat } from './queries.ts'

/** Downloads all events that match the filters, with the progress and a Cancel button. */
export function Download({ filters }: { filters: AuditFilters }) {
  const running = useRef<AbortController>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState<string>()
  const isRunning = status !== undefined
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
      const { file, name } = await downloadEvents(filters, format, controller.signal, onProgress)
      saveFile(file, name ?? `activity.${format}`)
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
              Download
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void start('csv')}>CSV</Menu.Item>
            <Menu.Item onClick={() => void start('jsonl')}>JSON lines</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
