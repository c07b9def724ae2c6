import type { FileQuery, ListOptions } from '@watchdesk/contract/list'
import { TaskMenu } from '../../../ui/file/task-menu.tsx'
import { downloadTask } from '../../../ui/file/use-task.ts'
import { listQuery } from '../../../ui/list/list-search.ts'
import { useListSearch } from '../../../ui/list/use-list.ts'
import type { ShownColumns } from './use-columns.ts'

type Downloaded = { file: Blob; name: string | undefined }

type ExportMenuProps<List extends ListOptions> = {
  of: ShownColumns
  endpoint: { list: List }
  download: (query: FileQuery<List>, signal: AbortSignal, onProgress: (bytes: number) => void) => Promise<Downloaded>
}

/** Saves all rows that match as a file, with the columns that are shown, in their order. */
export function ExportMenu<List extends ListOptions>({ of, endpoint, download }: ExportMenuProps<List>) {
  const { search } = useListSearch(endpoint)
  if (!of.canKeep) return null
  const file = (format: 'csv' | 'xlsx') =>
    downloadTask(`${of.list}.${format}`, (signal, onProgress) => {
      const { page: _, ...filter } = listQuery(endpoint.list, search)
      return download({ ...filter, columns: of.shown, format } as unknown as FileQuery<List>, signal, onProgress)
    })
  return <TaskMenu label="Export" runningLabel="Exporting" tasks={{ CSV: file('csv'), XLSX: file('xlsx') }} />
}
