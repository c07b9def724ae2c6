import { open } from 'node:fs/promises'
import { createSourceJob, createStoriesJob, type Job, type JobKind } from '@watchdesk/contract/jobs'
import { JOBS_PER_PERSON, TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit } from '../../db/audit.ts'
import { type Call, once } from '../../db/idempotency.ts'
import { requestCancel } from '../../db/job-leases.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import type { JobInput } from '../../jobs/kind.ts'
import type { Upload } from '../../plugins/upload.ts'
import { conflict, found, Problem } from '../../problem.ts'
import { jobOf, jobRows } from './rows.ts'

const PART_BYTES = 1_048_576
const LISTED = 100

const CALLS = { source_import: createSourceJob, stories_import: createStoriesJob }
const ENTITIES = { source_import: 'sources', stories_import: 'stories' } as const

export function jobsStore(db: Db, rights: Rights) {
  return { create, list, get, cancel, requirePlace: (actor: Actor) => requirePlace(db, actor) }

  /** Stores the file, in the same transaction as the job and its import. */
  function create(actor: Actor, kind: JobKind, upload: Upload, key?: string): Promise<Job> {
    const { name, bytes, fields, sha256 } = upload
    const { method, url } = CALLS[kind]
    const request = Buffer.concat([sha256, Buffer.from(JSON.stringify(fields))])
    const call: Call = { name: `${method} ${url}`, key, request }
    return rights.writeLong(actor, TIMEOUT_MS.stories, (trx) =>
      once(trx, actor, call, async () => {
        // Otherwise many at a time could exceed the limit.
        await sql`select pg_advisory_xact_lock(hashtext('jobs'), ${actor.id})`.execute(trx)
        await requirePlace(trx, actor)
        const owner = { created_by: actor.id, created_by_name: actor.name }
        const { id: job_id } = await trx
          .insertInto('jobs')
          .values({ kind, input: '{}', ip: actor.ip, ...owner })
          .returning('id')
          .executeTakeFirstOrThrow()
        const { id: import_id } = await trx
          .insertInto('imports')
          .values({ kind, state: 'queued', name, bytes, counts: '{}', job_id, ...owner })
          .returning('id')
          .executeTakeFirstOrThrow()
        const input = JSON.stringify(inputOf(upload, import_id))
        await trx.updateTable('jobs').set({ input }).where('id', '=', job_id).execute()
        await storeFile(trx, job_id, upload.path)
        return read(trx, job_id)
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
    return rows.map(jobOf)
  }

  function get(id: number) {
    return read(db, id)
  }

  function cancel(actor: Actor, id: number): Promise<Job> {
    return rights.write(actor, async (trx) => {
      const before = await read(trx, id)
      if (await requestCancel(trx, id, `Cancelled by ${actor.name}.`)) {
        const entity = ENTITIES[before.kind]
        const changes = { file: { before: null, after: before.name } }
        await audit(trx, actor, { action: 'cancel', entity, entity_id: before.import_id, changes })
      }
      const job = await read(trx, id)
      if (!job.is_cancelled) throw conflict('This job has already ended, so it cannot be cancelled.')
      return job
    })
  }
}

async function read(db: Db, id: number): Promise<Job> {
  return jobOf(found(await jobRows(db).where('jobs.id', '=', id).executeTakeFirst(), 'Job'))
}

async function requirePlace(db: Db, actor: Actor) {
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_by', '=', actor.id)
    .where(sql<boolean>`state in ('queued', 'running')`)
    .executeTakeFirstOrThrow()
  if (count < JOBS_PER_PERSON) return
  const detail = `You already have ${JOBS_PER_PERSON} imports in the background. Wait until one has ended, or cancel one.`
  throw new Problem(429, detail, { 'retry-after': '60' })
}

function inputOf({ name, kind, bytes, fields, sha256 }: Upload, import_id: number): JobInput {
  return {
    file: { name, kind, bytes, sha256: sha256.toString('hex') },
    import_id,
    rows_count: fields.rows_count === undefined ? undefined : Number(fields.rows_count),
    delete_existing_stories: fields.delete_existing_stories === 'true',
  }
}

async function storeFile(trx: Trx, job_id: number, path: string) {
  const file = await open(path)
  try {
    for (let part = 0; ; part += 1) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(PART_BYTES), 0, PART_BYTES)
      if (bytesRead === 0) return
      await trx
        .insertInto('job_files')
        .values({ job_id, part, bytes: buffer.subarray(0, bytesRead) })
        .execute()
    }
  } finally {
    await file.close()
  }
}
