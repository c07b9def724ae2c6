import { writeFile } from 'node:fs/promises'
import { errorText } from '@watchdesk/contract/errors'
import { TableError } from '@watchdesk/contract/table-error'
import { sql } from 'kysely'
import { SheetError } from '../adapters/sheets/sheets.ts'
import { databaseFailure, databaseProblem } from '../db/errors.ts'
import { JOBS, type JobRow } from '../db/job-queue.ts'
import { JobRefused, requireOwner } from '../db/job-rights.ts'
import { MAX_ATTEMPTS } from '../db/leases.ts'
import type { SystemDb } from '../db/open.ts'
import type { Rights } from '../db/rights.ts'
import { withUploadFile } from '../plugins/upload-files.ts'
import { diskFull, Problem } from '../problem.ts'
import type { Semaphore } from '../semaphore.ts'
import { JOB_MS, type JobContext, type JobKind } from './kind.ts'
import { type Control, createRunner, type Failure, UNEXPECTED } from './runner.ts'

type Options = { db: SystemDb; rights: Rights; kinds: JobKind[]; semaphore: Semaphore; dir: string }

export type Jobs = ReturnType<typeof createJobs>

export function createJobs({ db, rights, kinds, semaphore, dir }: Options) {
  const byName = new Map<string, JobKind>(kinds.map((kind) => [kind.name, kind]))
  const runner = createRunner<JobRow>(db, {
    queue: { ...JOBS, isOpen: sql`${JOBS.isOpen} and kind = any(${[...byName.keys()]})` },
    run,
    failureOf,
    crashed: `The server stopped during this job. It was started ${MAX_ATTEMPTS} times, so it was not started again. Nothing was saved.`,
    semaphore,
    // Often, for the progress and to notice that a job was cancelled.
    times: { poll: 1000, renew: 500, stop: 0 },
  })
  return { ...runner, kinds: byName as ReadonlyMap<string, JobKind> }

  async function run(job: JobRow, { signal, progress, stopRenewing }: Control) {
    const owner = await requireOwner(db, job.created_by)
    await byName.get(job.kind)?.run({
      actor: { ...owner, ...OWNER_RIGHTS, ip: job.ip ?? '' },
      input: job.input as JobContext<never>['input'],
      withFile: (work) =>
        withUploadFile(dir, async (path) => {
          await writeFile(path, partsOf(job.id), { flag: 'wx', mode: 0o600, signal })
          return work(path)
        }),
      progress,
      signal,
      async save(work) {
        const result = await rights.writeForJob(job, { milliseconds: JOB_MS, signal }, work)
        stopRenewing()
        return result
      },
    })
  }

  async function* partsOf(job_id: number) {
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
}

/** The owner is a super admin. The token is nobody's, so that only `save` can write. */
const OWNER_RIGHTS = {
  seesEverything: true,
  isAuditor: false,
  mayChange: true,
  credential: 'job',
  token_hash: Buffer.alloc(0),
  session_ends_at: new Date(0),
  proved_at: null,
} as const

const NO_SPACE: unknown[] = ['ENOSPC', 'EDQUOT']

/** The owner sees the reason that the call would have given, if there is one. */
function failureOf(error: unknown, { attempts }: JobRow): Failure {
  if (error instanceof Problem)
    return { outcome: 'failed', reason: errorText(error), isUnexpected: error.status >= 500 }
  if (error instanceof SheetError || error instanceof TableError || error instanceof JobRefused) {
    return { outcome: 'failed', reason: error.message, isUnexpected: false }
  }
  if (NO_SPACE.includes(Object(error).code)) {
    return { outcome: 'failed', reason: diskFull().message, isUnexpected: true }
  }
  const failure = databaseFailure(error)
  const reason = failure ? databaseProblem(failure).message : UNEXPECTED
  if (failure === 'conflict') {
    if (attempts < MAX_ATTEMPTS) return { outcome: 'retried', reason, isUnexpected: false }
    const failed = `${reason} It was started ${MAX_ATTEMPTS} times, and nothing was saved.`
    return { outcome: 'failed', reason: failed, isUnexpected: false }
  }
  const isOutage = failure === 'unreachable' || failure === 'read_only'
  return { outcome: isOutage ? 'postponed' : 'failed', reason, isUnexpected: true }
}
