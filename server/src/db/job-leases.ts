import type { JobProgress } from '@watchdesk/contract/jobs'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { SystemDb, Trx } from './open.ts'
import type { Tables } from './tables.ts'

/** How long a job stays with a server that no longer responds. */
const LEASE_SECONDS = 15
/** How often a job may start, so that a file that crashes the process is not tried forever. */
export const MAX_ATTEMPTS = 3

export type JobRow = Selectable<Tables['jobs']>

/** A job as long as its lease is ours. */
export type HeldJob = Pick<JobRow, 'id' | 'leased_by'>

type Sql = RawBuilder<unknown>

const LEASE_END = sql`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`
const ENDED = sql`leased_by = null, leased_until = null, progress = '{}', finished_at = clock_timestamp()`
/** Nobody works on it: it has no lease, the lease has run out, or this server lost track of it in an outage. */
const isFree = (me: string) => sql`state in ('queued', 'running')
  and (leased_until is null or leased_until < now() or leased_by = ${me})`

/**
 * Changes jobs, and with them their imports, which have the same state. The file of a job that has ended is removed in the
 * same statement.
 */
async function change(db: SystemDb | Trx, { set, where }: { set: Sql; where: Sql }) {
  const { rows } = await sql<JobRow>`with changed as (
      update jobs set ${set} where ${where} returning *
    ), followed as (
      update imports set state = changed.state, error = case when changed.finished_at is null then null else changed.error end,
        started_at = coalesce(imports.started_at, changed.started_at),
        finished_at = coalesce(imports.finished_at, changed.finished_at)
      from changed where imports.job_id = changed.id
    ), removed as (
      delete from job_files using changed where job_files.job_id = changed.id and changed.finished_at is not null
    )
    select * from changed order by id`.execute(db)
  return rows
}

const isHeld = ({ id, leased_by }: HeldJob) => sql`id = ${id} and leased_by = ${leased_by} and state = 'running'`

/** Whether there may be something to claim. */
export async function isJobWaiting(db: SystemDb, me: string, kinds: string[]) {
  const { rows } = await sql`select from jobs where ${isFree(me)} and kind = any(${kinds}) limit 1`.execute(db)
  return rows.length > 0
}

/** Claims the oldest job, or again one that this server dropped in an outage, which does not count as another attempt. */
export async function claimJob(db: SystemDb, me: string, kinds: string[]): Promise<JobRow | undefined> {
  await endAbandoned(db, me, kinds)
  const [job] = await change(db, {
    set: sql`state = 'running', attempts = attempts + case when leased_by = ${me} then 0 else 1 end, leased_by = ${me},
      leased_until = ${LEASE_END}, started_at = coalesce(started_at, now())`,
    where: sql`id = (select id from jobs where ${isFree(me)} and kind = any(${kinds})
      order by id limit 1 for update skip locked)`,
  })
  return job
}

/** Jobs whose server died after they were cancelled, or died too often. */
async function endAbandoned(db: SystemDb, me: string, kinds: string[]) {
  const isAbandoned = sql`${isFree(me)} and leased_by is distinct from ${me} and kind = any(${kinds})`
  const lock = (condition: Sql) =>
    sql`id in (select id from jobs where ${isAbandoned} and ${condition} order by id for update skip locked)`
  await change(db, { set: sql`state = 'cancelled', ${ENDED}`, where: lock(sql`is_cancelled`) })
  // Earlier attempts may have ended in another way.
  const error = `The server stopped during this job. It was started ${MAX_ATTEMPTS} times, so it was not started again. Nothing was saved.`
  await change(db, {
    set: sql`state = 'failed', error = ${error}, ${ENDED}`,
    where: lock(sql`attempts >= ${MAX_ATTEMPTS}`),
  })
}

/** Renews the lease and saves the progress. Undefined if the job is no longer ours. */
export async function renewJob(db: SystemDb, job: HeldJob, progress: JobProgress) {
  const { rows } = await sql<Pick<JobRow, 'is_cancelled'>>`update jobs
    set leased_until = ${LEASE_END}, progress = ${JSON.stringify(progress)} where ${isHeld(job)}
    returning is_cancelled`.execute(db)
  return rows[0]
}

/** For another server, or the next attempt. An attempt that the job did not fail by itself does not count. */
export async function requeueJob(db: SystemDb, job: HeldJob, { counts }: { counts: boolean }) {
  const attempts = counts ? sql`attempts` : sql`greatest(attempts - 1, 0)`
  const set = sql`state = 'queued', leased_by = null, leased_until = null, progress = '{}', attempts = ${attempts}`
  await change(db, { set, where: isHeld(job) })
}

export async function failJob(db: SystemDb, job: HeldJob, error: string) {
  await change(db, { set: sql`state = 'failed', error = ${error}, ${ENDED}`, where: isHeld(job) })
}

/** Ends a job that its holder has stopped, if it was cancelled. */
export async function endCancelledJob(db: SystemDb, job: HeldJob) {
  await change(db, { set: sql`state = 'cancelled', ${ENDED}`, where: sql`${isHeld(job)} and is_cancelled` })
}

/**
 * Ends a job in the transaction of its effect: of all servers that ever held the job, only one can commit. False if the
 * job is no longer ours or was cancelled.
 */
export async function finishJob(trx: Trx, job: HeldJob, result: unknown) {
  const set = sql`state = 'done', error = null, result = ${JSON.stringify(result)}, ${ENDED}`
  return (await change(trx, { set, where: sql`${isHeld(job)} and not is_cancelled` })).length > 0
}

/**
 * Asks to cancel a job. One that is running ends when its holder has seen it, any other one at once. False if it has ended
 * or was cancelled before.
 */
export async function requestCancel(trx: Trx, id: number, error: string) {
  const { rows } = await sql<Pick<JobRow, 'state' | 'is_cancelled'>>`select state, is_cancelled from jobs
    where id = ${id} for update`.execute(trx)
  const [job] = rows
  if (!job || job.is_cancelled || !['queued', 'running'].includes(job.state)) return false
  const end = job.state === 'queued' ? sql`, state = 'cancelled', ${ENDED}` : sql``
  await change(trx, { set: sql`is_cancelled = true, error = ${error} ${end}`, where: sql`id = ${id}` })
  return true
}

/** Removes jobs that ended a month ago, and the files of all that have ended, if any were left. */
export async function purgeJobs(db: SystemDb) {
  await sql`delete from job_files using jobs where jobs.id = job_files.job_id
    and jobs.state not in ('queued', 'running')`.execute(db)
  await sql`delete from jobs where finished_at < now() - interval '30 days'`.execute(db)
}
