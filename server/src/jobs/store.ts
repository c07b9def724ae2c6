import { open } from 'node:fs/promises'
import { createSourceJob, createStoriesJob, type Job } from '@watchdesk/contract/jobs'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { audit } from '../db/audit.ts'
import { type Call, once } from '../db/idempotency.ts'
import { requestCancel } from '../db/job-leases.ts'
import type { Db, Trx } from '../db/open.ts'
import type { Rights } from '../db/rights.ts'
import type { BulkName } from '../modules/operations/changes/kind.ts'
import { BULK_KINDS } from '../modules/operations/changes/kinds.ts'
import type { UndoInput } from '../modules/operations/undo/undo.ts'
import type { StoriesInput } from '../modules/stories-import/job.ts'
import type { Upload } from '../plugins/upload.ts'
import { conflict, found } from '../problem.ts'
import { createJob, requirePlace } from './create.ts'
import { jobOf, jobRows } from './rows.ts'

const PART_BYTES = 1_048_576
const LISTED = 100

const CALLS = { source_import: createSourceJob, stories_import: createStoriesJob }

/** The kinds that have a file. */
export type FileJob = keyof typeof CALLS

export function jobsStore(db: Db, rights: Rights) {
  return { create, list, get, cancel, requirePlace: (actor: Actor) => requirePlace(db, actor) }

  /** Stores the file of an import, in the same transaction as the job and its import. */
  function create(actor: Actor, kind: FileJob, upload: Upload, key?: string): Promise<Job> {
    const { name, bytes, fields, sha256 } = upload
    const { method, url } = CALLS[kind]
    const request = Buffer.concat([sha256, Buffer.from(JSON.stringify(fields))])
    const call: Call = { name: `${method} ${url}`, key, request }
    return rights.writeLong(actor, TIMEOUT_MS.stories, (trx) =>
      once(trx, actor, call, async () => {
        const details = { skipped_count: fields.skipped_count === undefined ? undefined : Number(fields.skipped_count) }
        const { job_id } = await createJob<StoriesInput>(trx, actor, kind, {
          import: { name, bytes, details },
          input: inputOf(upload),
        })
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
        const { entity, what } = await subjectOf(trx, before)
        const changes = { [what]: { before: null, after: before.name } }
        await audit(trx, actor, { action: 'cancel', entity, entity_id: before.import_id, changes })
      }
      const job = await read(trx, id)
      if (!job.is_cancelled) throw conflict('This job has already ended, so it cannot be cancelled.')
      return job
    })
  }
}

/** What the event of a job is about. */
async function subjectOf(trx: Trx, { id, kind }: Job) {
  if (kind === 'sources_change') return { entity: 'sources', what: 'change' } as const
  if (kind in BULK_KINDS) return { entity: BULK_KINDS[kind as BulkName].entities.many, what: 'change' } as const
  if (kind !== 'undo') return { entity: kind === 'stories_import' ? 'stories' : 'sources', what: 'file' } as const
  const { input } = await trx.selectFrom('jobs').select('input').where('id', '=', id).executeTakeFirstOrThrow()
  return { entity: (input as UndoInput).entity, what: 'undo' } as const
}

async function read(db: Db, id: number): Promise<Job> {
  return jobOf(found(await jobRows(db).where('jobs.id', '=', id).executeTakeFirst(), 'Job'))
}

function inputOf({ name, kind, bytes, fields, sha256 }: Upload) {
  return {
    file: { name, kind, bytes, sha256: sha256.toString('hex') },
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
