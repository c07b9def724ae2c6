import { writeFile } from 'node:fs/promises'
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
    await writeFile(path, partsOf(db, job_id), { flag: 'wx', mode: 0o600, signal })
    return work(path)
  })
}

async function* partsOf(db: SystemDb, job_id: number) {
  for (let part = 0; ; part += 1) {
    const row = await db
      .selectFrom('job_files')
      .select('bytes')
      .where('job_id', '=', job_id)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!row) return
    yield row.bytes
  }
}
