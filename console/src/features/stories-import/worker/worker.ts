import { FileError } from '../../../ui/file-reader/file-error.ts'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { serveWorker } from '../../../ui/file-reader/serve-worker.ts'
import { storiesChecker } from './check-stories.ts'
import type { StoriesCheck } from './messages.ts'

const handlers = {
  /** The contents of the file; undefined if it cannot be read. */
  async check(file: File, report: (rows: number) => void): Promise<StoriesCheck | undefined> {
    try {
      return (await readTableFile(file, storiesChecker, (_, rows) => report(rows))).result()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return undefined
    }
  },
}

export type StoriesFileWorker = typeof handlers

serveWorker(handlers)
