import { FileError } from '../../../ui/file-reader/file-error.ts'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { serveWorker } from '../../../ui/file-reader/serve-worker.ts'
import { bodyOf } from './body.ts'
import { checkTable } from './check.ts'
import { collector, type Table } from './collector.ts'
import type { Outcome, PreviewRow, ReadProgress, ReadResult } from './messages.ts'

/** Reads one file, keeps its records and serves them to the page, which terminates the worker when it is done. */
let known: (Table & ReturnType<typeof checkTable>) | undefined

const handlers = {
  async read(file: File, report: (progress: ReadProgress) => void): Promise<ReadResult> {
    try {
      const rows = await readTableFile(file, collector, (part, records) => report({ phase: 'reading', part, records }))
      const table = rows.finish()
      const parsed = { count: table.values.length, notes: table.notes }
      report({ phase: 'checking', part: 0, parsed })
      known = { ...table, ...checkTable(table, (part) => report({ phase: 'checking', part, parsed })) }
      return { phase: 'ready', parsed, counts: known.counts }
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return { phase: 'invalid', message: error.message, reason: error.reason }
    }
  },

  rows({ outcome, from, to }: { outcome: Outcome | undefined; from: number; to: number }): PreviewRow[] {
    return loadedRecords().slice(outcome, from, to)
  },

  /** The body of the import request. */
  body(email: string): Blob {
    return bodyOf(loadedRecords(), email)
  },
}

function loadedRecords() {
  if (!known) throw new Error('No file has been read.')
  return known
}

export type SourceFileWorker = typeof handlers

serveWorker(handlers)
