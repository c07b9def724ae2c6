import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { TableError } from '@watchdesk/contract/table-error'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { serveWorker } from '../../../ui/file-reader/serve-worker.ts'
import { storiesChecker } from './check-stories.ts'
import type { CheckResult } from './messages.ts'

const handlers = {
  async check(file: File, report: (rows: number) => void): Promise<CheckResult> {
    try {
      return (await readTableFile(file, storiesChecker, (_, rows) => report(rows))).result()
    } catch (error) {
      if (!(error instanceof TableError)) throw error
      const isWrongType = error.message === SOURCE_IMPORT_MESSAGES.wrong_type
      return { phase: isWrongType ? 'invalid' : 'failed', message: error.message }
    }
  },
}

export type StoriesFileWorker = typeof handlers

serveWorker(handlers)
