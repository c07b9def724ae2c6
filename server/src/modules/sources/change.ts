import { countryName } from '@watchdesk/contract/countries'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { SourcesChange, SourcesChanged } from '@watchdesk/contract/sources'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { createJob } from '../../jobs/create.ts'
import type { RowsInput } from '../../jobs/kind.ts'
import { conflict } from '../../problem.ts'
import { number } from '../operations/changes/kind.ts'
import type { OperationKind } from '../operations/kind.ts'
import { manyRowsJob, writeOnce } from '../operations/many-rows.ts'
import { beginOperation, endOperation } from '../operations/record.ts'
import { whereOf } from './filter.ts'
import { checkCountry } from './store.ts'
import { changeSources, sourcesUndo } from './write-many.ts'

type Input = RowsInput & { change: SourcesChange }

export const sourcesChange: OperationKind = {
  undo: sourcesUndo,
  job: () =>
    manyRowsJob<Input>({ name: 'sources_change' }, (trx, actor, { change }, { existing_id }) =>
      changeNow(trx, actor, change, existing_id),
    ),
  // It keeps no rows: they follow from what the sources were before.
  changed: {
    header: ['source_url', 'before', 'after'],
    async read(db, { id, details }, { offset, limit }) {
      // Rows before the range are skipped in the index alone.
      const query = sql<{ url: string | null; before: string | null }>`
        select sources.url, before ->> 'country' as before
        from (select record_id from operation_changes where operation_id = ${id} order by record_id
          offset ${offset} limit ${limit}) as part
        join operation_changes using (record_id) left join sources on sources.id = record_id
        where operation_id = ${id} order by record_id`
      const after = details.action === 'remove' ? 'removed' : nameOf(details.country)
      return (await rowsOf(db, query)).map(({ url, before }, index) => ({
        number: offset + index + 1,
        // Removed sources are deleted for good after a while.
        cells: [url ?? 'deleted', nameOf(before), after],
      }))
    },
  },
}

/** In one transaction: that of the call, or of a job if they are very many. */
export function changeMany(deps: Deps, request: FastifyRequest, body: SourcesChange): Promise<SourcesChanged> {
  const { actor, slot } = request
  checkCountry(body.country)
  const isForCall = body.expected_count <= ROWS_IN_A_CALL
  const change = () =>
    writeOnce(deps, request, async (trx) => {
      // Before they are locked: another number may be very many. A job checks it again.
      const different = await countDifferent(trx, body)
      if (isForCall) return changeNow(trx, actor, body)
      if (different === 0) return NOTHING
      const name = wordsOf(body, different, false)
      const made = await createJob<Input>(trx, actor, 'sources_change', {
        operation: { details: { ...detailsOf(body), summary: name } },
        input: { name, rows_count: different, change: body },
      })
      return { changed_count: different, ...made }
    })
  return isForCall ? slot.run(change) : change()
}

/** `existing_id` is that of the import, if a job has created it. */
async function changeNow(trx: Trx, actor: Actor, body: SourcesChange, existing_id?: number): Promise<SourcesChanged> {
  const different = await lockMatching(trx, body)
  if (different === 0 && existing_id === undefined) return NOTHING

  const { action, country } = body
  const details = detailsOf(body)
  const import_id = await beginOperation(trx, actor, { kind: 'sources_change', details }, existing_id)
  const field = action === 'remove' ? sql`deleted_at = now()` : sql`country = ${country ?? null}`
  const chosen = sql`select id from chosen where is_different`
  const changed_count = await changeSources(trx, actor, import_id, chosen, field)
  await endOperation(trx, import_id, {
    counts: { changed: changed_count },
    details: { summary: wordsOf(body, changed_count, true) },
  })
  if (changed_count === 0) return { ...NOTHING, import_id }
  await audit(trx, actor, {
    action: action === 'remove' ? 'delete' : 'update',
    entity: 'sources',
    entity_id: import_id,
    changes: {
      ...changesBetween({}, { changed_count }),
      // Also if there is none now: a null on both sides would count as no change.
      ...(action === 'set_country' && { country: { before: null, after: country ?? null } }),
    },
  })
  return { changed_count, import_id, job_id: null }
}

const NOTHING: SourcesChanged = { changed_count: 0, import_id: null, job_id: null }

function detailsOf({ action, country, filter, ids }: SourcesChange) {
  return { action, ...(country !== undefined && { country }), ...(filter ? { filter } : { ids: ids?.length }) }
}

/** Throws if the caller saw another number of sources. */
async function countDifferent(trx: Trx, body: SourcesChange, chosen = chosenBy(body)) {
  const { rows } = await sql<{ matching: number; different: number }>`select count(*) as matching,
    count(*) filter (where is_different) as different from (${chosen}) as chosen`.execute(trx)
  const { matching, different } = rows[0] ?? { matching: 0, different: 0 }
  const { expected_count } = body
  if (matching === expected_count) return different
  const now = number(matching, 'source matches', 'sources match')
  throw conflict(`${now} now instead of ${expected_count.toLocaleString('en')}. Check the list and try again.`)
}

/**
 * Locks the sources in the order of their ids, so that two changes wait for each other instead of ending in a deadlock,
 * and lists them as they are then: what matched before the wait may match no more.
 */
async function lockMatching(trx: Trx, body: SourcesChange) {
  await sql`create temp table chosen (id bigint not null, is_different boolean not null) on commit drop`.execute(trx)
  await sql`insert into chosen ${chosenBy(body)} order by sources.id for no key update`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  return countDifferent(trx, body, sql`select * from chosen`)
}

function chosenBy({ action, country, filter, ids }: SourcesChange) {
  const isDifferent = action === 'remove' ? sql`true` : sql`sources.country is distinct from ${country ?? null}`
  const matches = filter ? whereOf(filter) : sql`sources.id = any(${ids}::bigint[]) and sources.deleted_at is null`
  return sql`select sources.id, ${isDifferent} as is_different from sources where ${matches}`
}

function wordsOf({ action, country }: SourcesChange, count: number, isDone: boolean) {
  const sources = number(count, 'source')
  const remove = isDone ? 'Removed' : 'Remove'
  if (action === 'remove') return `${remove} ${sources}`
  return country ? `Set the country of ${sources} to ${countryName(country)}` : `${remove} the country of ${sources}`
}

function nameOf(country: unknown) {
  return typeof country === 'string' ? countryName(country) : 'no country'
}
