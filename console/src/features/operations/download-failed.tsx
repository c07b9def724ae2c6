import type { Operation } from '@watchdesk/contract/operations/operations'
import { formatCount } from '../../ui/display/format.ts'
import { TaskMenu } from '../../ui/file/task-menu.tsx'
import { downloadTask } from '../../ui/file/use-task.ts'
import { downloadRows, type FileFormat } from './queries.ts'

/** Downloads the rows that failed, as a file that can be corrected and imported again. */
export function DownloadFailed({ shown, outcomes }: { shown: Operation; outcomes: string[] }) {
  const count = outcomes.reduce((sum, outcome) => sum + (shown.counts[outcome] ?? 0), 0)
  const task = (format: FileFormat) =>
    downloadTask(`failed-rows.${format}`, (signal, onProgress) =>
      downloadRows(shown.id, { format, outcome: outcomes }, signal, onProgress),
    )
  return (
    <TaskMenu
      label="Download failed rows"
      runningLabel="Downloading"
      about={`${formatCount(count, 'row')} in the columns of an import file. Correct them, then import the file again.`}
      tasks={{ 'CSV file': task('csv'), 'XLSX file': task('xlsx') }}
    />
  )
}
