import { type Country, countryList } from '@watchdesk/contract/countries'
import { fileProblem } from '@watchdesk/contract/source-import'
import { TableError } from '@watchdesk/contract/table-error'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { serveWorker } from '../../../ui/file-reader/serve-worker.ts'
import { collector } from './collector.ts'
import { bodyOf, csvOf, numbersOf } from './corrected.ts'
import type { Alike, Change, Changed, Filter, PreviewRow, ReadProgress, ReadResult } from './messages.ts'
import { createSheet } from './sheet.ts'

/** Reads one file, keeps its rows and edits and serves them to the page, which terminates the worker when it is done. */
let known: ReturnType<typeof createSheet> | undefined

const handlers = {
  async read(file: File, report: (progress: ReadProgress) => void): Promise<ReadResult> {
    try {
      const rows = await readTableFile(file, collector, (part, records) => report({ phase: 'reading', part, records }))
      const table = rows.finish()
      const parsed = { count: table.values.length, notes: table.notes }
      report({ phase: 'checking', part: 0, parsed })
      known = createSheet(table, (part) => report({ phase: 'checking', part, parsed }))
      return { phase: 'ready', parsed, ...known.judged() }
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      return { phase: 'invalid', ...fileProblem(error) }
    }
  },

  /** Chooses the rows to show, and returns their number. */
  filter(wanted: Filter): number {
    return sheet().filter(wanted)
  },

  rows({ from, to }: { from: number; to: number }): PreviewRow[] {
    return sheet().slice(from, to)
  },

  change(change: Change): Changed {
    return sheet().change(change)
  },

  /** Finds the rows with the same error. Reports those found so far. */
  scan(_: undefined, report: (found: Alike[]) => void): Promise<Alike[]> {
    return sheet().scan(report)
  },

  countries(): Country[] {
    return countryList()
  },

  /** The body of the import request. */
  body(email: string): Blob {
    return bodyOf(sheet().corrected(), email)
  },

  /** The row numbers of the records in that body. */
  numbers(): string | undefined {
    return numbersOf(sheet().corrected())
  },

  /** The corrected rows as a CSV file. */
  csv(gaps: 'closed' | 'kept'): Blob {
    return csvOf(sheet().corrected(), gaps)
  },
}

function sheet() {
  if (!known) throw new Error('No file has been read.')
  return known
}

export type SourceFileWorker = typeof handlers

serveWorker(handlers)
