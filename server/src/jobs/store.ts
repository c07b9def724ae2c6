import { createReadStream } from 'node:fs'
import type { Job } from '@watchdesk/contract/jobs'
import { JobResults } from '@watchdesk/contract/jobs.schema'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { audit } from '../db/audit.ts'
import { type Call, once } from '../db/idempotency.ts'
import { type JobRow, requestCancel } from '../db/job-queue.ts'
import type { Db, Trx } from '../db/open.ts'
import type { Rights } from '../db/rights.ts'
import type { Upload } from '../plugins/upload.ts'
import { conflict, found } from '../problem.ts'
import { createJob } from './create.ts'
import type { Jobs } from './jobs.ts'
import type { JobInput, JobKind } from './kind.ts'

const PART_BYTES = 1_048_576
const LISTED = 100
const WAITING = { step: 'waiting', done: 0, total: null } as const
const RESULTS = Object.keys(JobResults.shape)
const NO_RESULTS = Object.fromEntries(RESULTS.map((name) => [name, null])) as Record<keyof JobResults, null>

export type Parts = { db: Db; rights: Rights; jobs: Jobs }

export function jobsStore({ db, rights, jobs: { kinds } }: Parts) {
  return { create, list, get, cancel }

  function create(actor: Actor, { name: kind, upload: how }: JobKind, upload: Upload, key?: string): Promise<Job> {
    const { name, bytes, fields, sha256 } = upload
    const request = Buffer.concat([sha256, Buffer.from(JSON.stringify(fields))])
    const call: Call = { name: `${how?.endpoint.method} ${how?.endpoint.url}`, key, request }
    return rights.writeLong(actor, TIMEOUT_MS.stories, (trx) =>
      once(trx, actor, call, async () => {
        const { job_id } = await createJob(trx, actor, kind, {
          operation: { name, bytes, details: { skipped_count: numberIn(fields.skipped_count) } },
          input: {
            file: { name, kind: upload.kind, bytes, sha256: sha256.toString('hex') },
            rows_count: numberIn(fields.rows_count),
            ...how?.inputOf?.(fields),
          },
        })
        await storeFile(trx, job_id, upload.path)
        return get(job_id, trx)
      }),
    )
  }

  /** Those that the caller is waiting for, or may not have seen yet. */
  async function list(actor: Actor): Promise<Job[]> {
    const rows = await jobRows(db)
      .where('jobs.created_by', '=', actor.id)
      .where(sql<boolean>`(jobs.finished_at is null or jobs.finished_at > now() - interval '1 day')`)
      .orderBy('jobs.id', 'desc')
      .limit(LISTED)
      .execute()
    return rows.map((row) => jobOf(kinds, row))
  }

  async function get(id: number, from: Db = db): Promise<Job> {
    return jobOf(kinds, await find(from, id))
  }

  function cancel(actor: Actor, id: number): Promise<Job> {
    return rights.write(actor, async (trx) => {
      const row = await find(trx, id)
      if (await requestCancel(trx, id, `Cancelled by ${actor.name}.`)) {
        const { name, entityOf } = found(kinds.get(row.kind), 'Job')
        const { what, entity } = OPERATION_KINDS[name]
        const input = inputOf(row)
        const changes = { [what === 'import' ? 'file' : what]: { before: null, after: nameOf(input) } }
        const about = { entity: entityOf?.(input) ?? entity, entity_id: input.import_id }
        await audit(trx, actor, { action: 'cancel', ...about, changes })
      }
      const job = await get(id, trx)
      if (!job.is_cancelled) throw conflict('This job has already ended, so it cannot be cancelled.')
      return job
    })
  }
}

async function find(db: Db, id: number) {
  return found(await jobRows(db).where('jobs.id', '=', id).executeTakeFirst(), 'Job')
}

function numberIn(field: string | undefined) {
  return field === undefined ? undefined : Number(field)
}

async function storeFile(trx: Trx, job_id: number, path: string) {
  let part = 0
  for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES })) {
    await trx.insertInto('job_files').values({ job_id, part, bytes }).execute()
    part += 1
  }
}

function jobRows(db: Db) {
  return db
    .selectFrom('jobs')
    .leftJoin('operations', 'operations.job_id', 'jobs.id')
    .selectAll('jobs')
    .select('operations.verification')
}

type Row = JobRow & Pick<Operation, 'verification'>

function jobOf(kinds: ReadonlyMap<string, JobKind>, job: Row): Job {
  const input = inputOf(job)
  const field = kinds.get(job.kind)?.upload?.result
  return {
    ...NO_RESULTS,
    // The verification is found after the job has ended.
    ...(field && { [field]: job.result && { ...job.result, verification: job.verification } }),
    id: job.id,
    kind: job.kind as Job['kind'],
    state: job.state,
    name: nameOf(input),
    bytes: 'file' in input ? input.file.bytes : null,
    import_id: input.import_id,
    is_cancelled: job.is_cancelled,
    progress: job.finished_at ? null : { ...WAITING, ...job.progress },
    error: job.error,
    created_by: { id: job.created_by, name: job.created_by_name },
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
  }
}

function inputOf({ input }: Pick<Row, 'input'>) {
  return input as JobInput & { import_id: number }
}

function nameOf(input: JobInput) {
  return 'file' in input ? input.file.name : input.name
}
