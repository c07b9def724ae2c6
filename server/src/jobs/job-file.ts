import { open } from 'node:fs/promises'
import type { SystemDb } from '../db/open.ts'
import { withUploadFile } from '../plugins/upload-files.ts'

/** Copies the file of a job from the database into a temporary file, and removes it after the work. */
export async function withJobFile<Result>(
  db: SystemDb,
  dir: string,
  { job_id, signal }: { job_id: number; signal: AbortSignal },
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  return withUploadFile(dir, async (path) => {
    await copy(db, job_id, path, signal)
    return work(path)
  })
}

async function copy(db: SystemDb, job_id: number, path: string, signal: AbortSignal) {
  const file = await open(path, 'wx', 0o600)
  try {
    for (let part = 0; ; part += 1) {
      signal.throwIfAborted()
      const row = await db
        .selectFrom('job_files')
        .select('bytes')
        .where('job_id', '=', job_id)
        .where('part', '=', part)
        .executeTakeFirst()
      if (!row) return
      await file.appendFile(row.bytes)
    }
  } finally {
    await file.close()
  }
}
