import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { SourceFilter } from '@watchdesk/contract/sources'
import { useEffect, useRef, useState } from 'react'
import { formatBytes, formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { hideToasts, toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { saveFile } from '../../ui/file/save-file.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import classes from './export-menu.module.css'
import { downloadSources, exportSources, type FileFormat } from './queries.ts'

/** Exports all sources that match the filter, with the progress and a Cancel button. */
export function ExportMenu({ filter }: { filter: SourceFilter }) {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const place = useRef<HTMLDivElement>(null)
  const [status, setStatus] = useState<string>()
  const isRunning = status !== undefined
  useEffect(() => () => running.current?.abort(), [])

  // The button is replaced while an export runs, which would lose the focus.
  useEffect(() => {
    if (running.current && document.activeElement === document.body) {
      place.current?.querySelector<HTMLElement>(isRunning ? '[data-cancel]' : 'button')?.focus()
    }
  }, [isRunning])

  async function run(start: string, action: (signal: AbortSignal) => Promise<void>) {
    const controller = new AbortController()
    running.current = controller
    hideToasts()
    setStatus(start)
    try {
      await action(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) toastError(error)
    } finally {
      setStatus(undefined)
    }
  }

  function toFile(format: FileFormat) {
    return run('Preparing the file', async (signal) => {
      const onProgress = (bytes: number) => setStatus(`Downloading: ${formatBytes(bytes)}`)
      const { file, name } = await downloadSources(filter, format, signal, onProgress)
      saveFile(file, name ?? `sources.${format}`)
    })
  }

  function toSheet() {
    return run('Creating the sheet', async (signal) => {
      const { created_sheet_url, exported_count } = await exportSources(filter, signal)
      const { pathname } = new URL(created_sheet_url, window.location.href)
      toastSuccess(`${formatCount(exported_count, 'source')} exported to a new sheet.`, {
        link: linkTo({ to: pathname, search: {} }),
        linkLabel: 'Open the sheet',
      })
      await client.invalidateQueries({ queryKey: ['imports'] })
    })
  }

  return (
    <div ref={place}>
      {isRunning ? (
        <div className={classes.status}>
          <Loading label="Exporting" />
          <span>{status}</span>
          <Button variant="default" data-cancel onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </div>
      ) : (
        <Menu position="bottom-end" withinPortal={false} transitionProps={{ duration: 100 }}>
          <Menu.Target>
            <Button variant="default" leftSection={<Icon name="download" />}>
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void toFile('csv')}>CSV</Menu.Item>
            <Menu.Item onClick={() => void toFile('xlsx')}>XLSX</Menu.Item>
            <Menu.Item onClick={() => void toSheet()}>New sheet</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
