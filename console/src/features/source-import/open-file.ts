import type { Country } from '@watchdesk/contract/countries'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { connectWorker } from '../../ui/file-reader/connect-worker.ts'
import type { Change, Changed, Filter, PreviewRow, ReadProgress, ReadResult } from './worker/messages.ts'
import type { SourceFileWorker } from './worker/worker.ts'

export type FileState =
  | ReadProgress
  | (Extract<ReadResult, { phase: 'ready' }> & { view: View })
  | Extract<ReadResult, { phase: 'invalid' }>
  /** The reader failed, not the file. Another attempt may succeed. */
  | { phase: 'failed'; message: string; reason: string }

/** The rows that are shown. `count` changes with every choice, even of the same filter. */
type View = { filter: Filter; total: number; count: number }

type Logged = { change: Change } | { filter: Filter }

/** A file that is read and kept in a worker, with its edits. */
export type OpenFile = {
  file: File
  /** Chooses the rows to show. They stay the same while they are edited. */
  filter: (wanted: Filter) => Promise<void>
  /** A range of the rows that are shown. */
  rows: (from: number, to: number) => Promise<PreviewRow[]>
  change: (change: Change) => Promise<Changed>
  countries: () => Promise<Country[]>
  /** Whether the rows differ from the file. */
  isEdited: () => boolean
  /** Changes with every edit. */
  version: () => number
  /** The body of the import request: the corrected rows, without skipped ones. */
  body: (email: string) => Promise<Blob>
  /** The row numbers of the records in the body, as ranges; undefined if they are counted from 2 without gaps. */
  numbers: () => Promise<string | undefined>
  skippedCount: () => number
  /** A CSV file with all columns of the file, the corrected rows and without skipped ones, or blank lines for them. */
  correctedFile: (gaps: 'closed' | 'kept') => Promise<File>
  /** What was done so far, for another attempt if the reader fails. */
  log: Logged[]
  /** Terminates the worker. */
  close: () => void
}

/** Reads the file, and repeats what was done with it before its reader failed. */
export function openFile(file: File, onChange: (state: FileState) => void, before: Logged[] = []): OpenFile {
  const { call, close } = connectWorker<SourceFileWorker>(
    new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' }),
    ({ message: reason }) => onChange({ phase: 'failed', message: SOURCE_IMPORT_MESSAGES.reading_failed, reason }),
  )
  /** Counted when they are sent: an import that follows must not reuse the key of the one before. */
  let changes = 0
  const log: Logged[] = []
  let ready: Extract<FileState, { phase: 'ready' }> | undefined
  onChange({ phase: 'reading', part: 0, records: 0 })
  // Failures go to `onChange` through the callback above.
  call('read', file, onChange).then(finish, () => {})
  return {
    file,
    filter,
    rows: (from, to) => call('rows', { from, to }),
    change,
    countries: () => call('countries', undefined),
    isEdited: () => (ready?.changedCount ?? 0) > 0,
    version: () => changes,
    body: (email) => call('body', email),
    numbers: () => call('numbers', undefined),
    skippedCount: () => ready?.counts?.skipped ?? 0,
    correctedFile: async (gaps) =>
      new File([await call('csv', gaps)], file.name.replace(/\.\w+$/, '-corrected.csv'), { type: 'text/csv' }),
    log,
    close,
  }

  function finish(result: ReadResult) {
    // Nothing more can be asked about an invalid file.
    if (result.phase === 'invalid') {
      close()
      onChange(result)
      return
    }
    ready = { ...result, view: { filter: undefined, total: result.parsed.count, count: 0 } }
    onChange(ready)
    const found = (alike: typeof result.alike) => update({ alike })
    call('scan', undefined, found)
      .then(found)
      // After the scan: a change can be of all rows that are alike.
      .then(repeat)
      .catch(() => {})
  }

  async function repeat() {
    for (const one of before) await ('change' in one ? change(one.change) : filter(one.filter))
  }

  async function filter(wanted: Filter) {
    const total = await call('filter', wanted)
    log.push({ filter: wanted })
    update({ view: { filter: wanted, total, count: (ready?.view.count ?? 0) + 1 } })
  }

  async function change(wanted: Change): Promise<Changed> {
    changes += 1
    const { first, rows, others, left, ...judged } = await call('change', wanted)
    log.push({ change: wanted })
    update(judged)
    return { first, rows, others, left, ...judged }
  }

  function update(judged: Partial<typeof ready>) {
    if (!ready) return
    ready = { ...ready, ...judged }
    onChange(ready)
  }
}
