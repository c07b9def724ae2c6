import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { connectWorker } from '../../ui/file-reader/connect-worker.ts'
import type { Outcome, PreviewRow, ReadProgress, ReadResult } from './worker/messages.ts'
import type { SourceFileWorker } from './worker/worker.ts'

export type FileState =
  | ReadProgress
  | ReadResult
  /** The reader failed, not the file. Another attempt may succeed. */
  | { phase: 'failed'; message: string; reason: string }

/** A file that is read and kept in a worker. */
export type OpenFile = {
  file: File
  rows: (outcome: Outcome | undefined, from: number, to: number) => Promise<PreviewRow[]>
  /** The body of the import request. */
  body: (email: string) => Promise<Blob>
  /** Terminates the worker. */
  close: () => void
}

export function openFile(file: File, onChange: (state: FileState) => void): OpenFile {
  const { call, close } = connectWorker<SourceFileWorker>(
    new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' }),
    ({ message: reason }) => onChange({ phase: 'failed', message: SOURCE_IMPORT_MESSAGES.reading_failed, reason }),
  )
  onChange({ phase: 'reading', part: 0, records: 0 })
  // Failures go to `onChange` through the callback above.
  call('read', file, onChange).then(finish, () => {})
  return {
    file,
    rows: (outcome, from, to) => call('rows', { outcome, from, to }),
    body: (email) => call('body', email),
    close,
  }

  function finish(result: ReadResult) {
    // Nothing more can be asked about an invalid file.
    if (result.phase === 'invalid') close()
    onChange(result)
  }
}
