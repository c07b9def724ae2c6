import type { AuditFilters } from '@watchdesk/contract/activity'
import { TaskMenu } from '../../ui/file/task-menu.tsx'
import { downloadTask } from '../../ui/file/use-task.ts'
import { downloadEvents, type FileFormat } from './queries.ts'

/** Downloads all events that match the filters. */
export function Download({ filters }: { filters: AuditFilters }) {
  const task = (format: FileFormat) =>
    downloadTask(`activity.${format}`, (signal, onProgress) => downloadEvents(filters, format, signal, onProgress))
  return (
    <TaskMenu label="Download" runningLabel="Downloading" tasks={{ CSV: task('csv'), 'JSON lines': task('jsonl') }} />
  )
}
