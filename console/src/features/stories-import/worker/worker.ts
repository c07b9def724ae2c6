import { FileError } from '@watchdesk/contract/file-error'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { serveWorker } from '../../../ui/file-reader/serve-worker.ts'
import { storiesChecker } from './check-stories.ts'
import type { CheckResult } from './messages.ts'

const handlers = {
  async check(file: File, report: (rows: number) => void): Promise<CheckResult> {
    try {
      return (await readTableFile(file, storiesChecker, (_, rows) => report(rows))).result()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      const isWrongType = error.message === SOURCE_IMPORT_MESSAGES.wrong_type
      return isWrongType
        ? { phase: 'invalid', message: error.message }
        : { phase: 'failed', message: error.reason ?? error.message }
    }
  },
}

export type StoriesFileWorker = typeof handlers

serveWorker(handlers)
