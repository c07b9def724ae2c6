import { type Selectable, sql } from 'kysely'
import { change, changesOf, type Held, isHeld, type Queue } from './leases.ts'
import type { SystemDb, Trx } from './open.ts'
import type { Tables } from './tables.ts'

export type JobRow = Selectable<Tables['jobs']>

/** Their imports have the same state. The file of a job that has ended is removed in the same statement. */
export const JOBS: Queue = {
  table: 'jobs',
  isOpen: sql`state in ('queued', 'running')`,
  order: sql`id`,
  ...changesOf('state', {
    started: sql`, progress = '{"step": "checking", "done": 0, "total": null}'`,
    cleared: sql`, progress = '{}'`,
  }),
  isCancelled: sql`is_cancelled`,
  followed: sql`, followed as (
      update operations set state = changed.state, error = case when changed.finished_at is null then null else changed.error end,
        started_at = coalesce(operations.started_at, changed.started_at),
        finished_at = coalesce(operations.finished_at, changed.finished_at)
      from changed where operations.job_id = changed.id
    ), removed as (
      delete from job_files using changed where job_files.job_id = changed.id and changed.finished_at is not null
    )`,
}

/** In the transaction of its effect: of all servers that ever held the job, only one can commit. The others get false. */
export async function finishJob(trx: Trx, job: Held, result: unknown) {
  const set = sql`${JOBS.ended('done', null)}, result = ${JSON.stringify(result)}`
  return (await change(trx, JOBS, { set, where: sql`${isHeld(job)} and not is_cancelled` })).length > 0
}

/** A running job ends when its holder has seen it, any other one at once. False if it ended or was cancelled before. */
export async function requestCancel(trx: Trx, id: number, error: string) {
  const { rows } = await sql<Pick<JobRow, 'state' | 'is_cancelled'>>`select state, is_cancelled from jobs
    where id = ${id} for update`.execute(trx)
  const [job] = rows
  if (!job || job.is_cancelled || !['queued', 'running'].includes(job.state)) return false
  const ended = job.state === 'queued' ? JOBS.ended('cancelled', error) : sql`error = ${error}`
  await change(trx, JOBS, { set: sql`is_cancelled = true, ${ended}`, where: sql`id = ${id}` })
  return true
}

export async function purgeJobs(db: SystemDb) {
  await sql`delete from job_files using jobs where jobs.id = job_files.job_id
    and jobs.state not in ('queued', 'running')`.execute(db)
  await sql`delete from jobs where finished_at < now() - interval '30 days'`.execute(db)
}
