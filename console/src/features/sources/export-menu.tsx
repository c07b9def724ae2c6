import { useQueryClient } from '@tanstack/react-query'
import type { SourceFilter } from '@watchdesk/contract/sources'
import { formatCount } from '../../ui/display/format.ts'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { TaskMenu } from '../../ui/file/task-menu.tsx'
import { downloadTask, type Task } from '../../ui/file/use-task.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { downloadSources, exportSources, type FileFormat } from './queries.ts'

/** Exports all sources that match the filter. */
export function ExportMenu({ filter }: { filter: SourceFilter }) {
  const client = useQueryClient()
  const canChange = useCanChange()
  const file = (format: FileFormat) =>
    downloadTask(`sources.${format}`, (signal, onProgress) => downloadSources(filter, format, signal, onProgress))
  const sheet: Task = {
    start: 'Creating the sheet',
    async run({ signal }) {
      const { created_sheet_url, exported_count } = await exportSources(filter, signal)
      const { pathname } = new URL(created_sheet_url, window.location.href)
      toastSuccess(`${formatCount(exported_count, 'source')} exported to a new sheet.`, {
        link: linkTo({ to: pathname, search: {} }),
        linkLabel: 'Open the sheet',
      })
      await client.invalidateQueries({ queryKey: ['operations'] })
    },
  }
  return (
    <TaskMenu
      label="Export"
      runningLabel="Exporting"
      tasks={{ CSV: file('csv'), XLSX: file('xlsx'), ...(canChange && { 'New sheet': sheet }) }}
    />
  )
}
