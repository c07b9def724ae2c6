import { readFile } from '../../../ui/read-file/file.ts'
import { serveWorker } from '../../../ui/read-file/serve-worker.ts'
import { Unreadable } from '../../../ui/read-file/unreadable.ts'
import type { Scan } from './messages.ts'
import { storyScan } from './scan.ts'

const handlers = {
  /** What the file holds; undefined where it cannot be read. */
  async scan(file: File, report: (rows: number) => void): Promise<Scan | undefined> {
    try {
      return (await readFile(file, storyScan, (_, rows) => report(rows))).result()
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return undefined
    }
  },
}

export type StoriesFileWorker = typeof handlers

serveWorker(handlers)
