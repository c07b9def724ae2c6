import { JOBS_PER_PERSON } from '@watchdesk/contract/limits'
import { type Insertable, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Db, Trx } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'
import { Problem } from '../problem.ts'
import type { JobInput, JobKind } from './kind.ts'

type NewJob<Input> = {
  operation: Pick<Insertable<Tables['operations']>, 'name' | 'bytes' | 'undoes_id'> & {
    details?: Record<string, unknown>
  }
  input: Input
}

export async function createJob<Input extends JobInput>(
  trx: Trx,
  actor: Actor,
  kind: JobKind['name'],
  job: NewJob<Input>,
) {
  // Otherwise many at a time could exceed the limit.
  await sql`select pg_advisory_xact_lock(hashtext('jobs'), ${actor.id})`.execute(trx)
  await requirePlace(trx, actor)
  const owner = { created_by: actor.id, created_by_name: actor.name }
  const { id: job_id } = await trx
    .insertInto('jobs')
    .values({ kind, input: '{}', ip: actor.ip, ...owner })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { details, ...given } = job.operation
  const { id: import_id } = await trx
    .insertInto('operations')
    .values({ kind, state: 'queued', ...given, details: JSON.stringify(details ?? {}), job_id, ...owner })
    .returning('id')
    .executeTakeFirstOrThrow()
  const input = JSON.stringify({ ...job.input, import_id })
  await trx.updateTable('jobs').set({ input }).where('id', '=', job_id).execute()
  return { job_id, import_id }
}

export async function requirePlace(db: Db, actor: Actor) {
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
