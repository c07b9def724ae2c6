import { fileProblem } from '@watchdesk/contract/source-import'
import { TableError } from '@watchdesk/contract/table-error'
import { type CellValue, cellText } from '@watchdesk/contract/xlsx/cell'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { serveWorker } from '../../../ui/file-reader/serve-worker.ts'
import { tableRows, type WrittenRows } from '../rows.ts'

const handlers = {
  /** The people in a file, or why it cannot be read. Reports the number of rows. */
  async read(file: File, report: (rows: number) => void): Promise<WrittenRows> {
    try {
      const table = await readTableFile(file, peopleSink, (_, rows) => report(rows))
      return table.finish()
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      const { message, reason } = fileProblem(error)
      return { rows: [], total: 0, ignored: [], problem: [message, reason].filter(Boolean).join(' ') }
    }
  },
}

function peopleSink() {
  const { add, count, finish } = tableRows()
  return { add: (cells: readonly CellValue[], row: number) => add(cells.map(cellText), row), count, finish }
}

export type UsersFileWorker = typeof handlers

serveWorker(handlers)
