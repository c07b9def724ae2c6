import { countryName } from '@watchdesk/contract/countries'
import type { SourcesChange, SourcesChanged } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import { conflict } from '../../problem.ts'
import { beginOperation, endOperation } from '../operations/record.ts'
import { whereOf } from './filter.ts'
import { changedBy, changeSources } from './write-many.ts'

type Counted = { matching: number; different: number }

/** Changes or removes many sources, as an import that can be undone. A job has created the import before. */
export async function changeNow(
  trx: Trx,
  actor: Actor,
  body: SourcesChange,
  existing_id?: number,
): Promise<SourcesChanged> {
  const { different } = checkCount(body, await lockMatching(trx, body))
  if (different === 0 && existing_id === undefined) return NOTHING

  const { action, country } = body
  const details = detailsOf(body)
  const import_id = await beginOperation(trx, actor, { kind: 'sources_change', details }, existing_id)
  const field = action === 'remove' ? sql`deleted_at = now()` : sql`country = ${country ?? null}`
  const chosen = sql`select id from chosen where is_different`
  const { rows } = await changeSources(import_id, chosen, sql`${field}, ${changedBy(actor)}`).execute(trx)
  const changed_count = rows[0]?.changed ?? 0
  await endOperation(trx, import_id, {
    counts: { changed: changed_count },
    details: { summary: wordsOf(body, changed_count, { isDone: true }) },
  })
  const changes = {
    ...changesBetween({}, { changed_count }),
    // Also if there is none now: a null on both sides would count as no change.
    ...(action === 'set_country' && { country: { before: null, after: country ?? null } }),
  }
  if (changed_count === 0) return { ...NOTHING, import_id }
  await audit(trx, actor, {
    action: action === 'remove' ? 'delete' : 'update',
    entity: 'sources',
    entity_id: import_id,
    changes,
  })
  return { changed_count, import_id, job_id: null }
}

export const NOTHING: SourcesChanged = { changed_count: 0, import_id: null, job_id: null }

/** What is to be done, as an import keeps it. */
export function detailsOf({ action, country, filter, ids }: SourcesChange) {
  return { action, ...(country !== undefined && { country }), ...(filter ? { filter } : { ids: ids?.length }) }
}

/** Throws if the caller saw another number. */
export function checkCount({ expected_count }: SourcesChange, counted: Counted) {
  if (counted.matching !== expected_count) throw conflict(changedMeanwhile(counted.matching, expected_count))
  return counted
}

/** How many sources match, and how many of them differ from what is wanted. */
export async function countMatching(trx: Trx, body: SourcesChange): Promise<Counted> {
  const { matches, isDifferent } = matching(body)
  const { rows } = await sql<Counted>`select count(*) as matching, count(*) filter (where ${isDifferent}) as different
    from sources where ${matches}`.execute(trx)
  return rows[0] ?? { matching: 0, different: 0 }
}

/**
 * Locks the sources in the order of their ids, so that two changes wait for each other instead of ending in a deadlock,
 * and lists them as they are then: what matched before the wait may match no more.
 */
async function lockMatching(trx: Trx, body: SourcesChange): Promise<Counted> {
  const { matches, isDifferent } = matching(body)
  await sql`create temp table chosen (id bigint not null, is_different boolean not null) on commit drop`.execute(trx)
  await sql`insert into chosen select sources.id, ${isDifferent} from sources where ${matches}
    order by sources.id for no key update`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  const { rows } = await sql<Counted>`select count(*) as matching,
    count(*) filter (where is_different) as different from chosen`.execute(trx)
  return rows[0] ?? { matching: 0, different: 0 }
}

function matching({ action, country, filter, ids }: SourcesChange) {
  return {
    matches: filter ? whereOf(filter) : sql`sources.id = any(${ids}::bigint[]) and sources.deleted_at is null`,
    isDifferent: action === 'remove' ? sql`true` : sql`sources.country is distinct from ${country ?? null}`,
  }
}

/** 'Removed 12 sources', or 'Remove 12 sources' before it is done. */
export function wordsOf({ action, country }: SourcesChange, count: number, { isDone }: { isDone: boolean }) {
  const sources = `${count.toLocaleString('en')} ${count === 1 ? 'source' : 'sources'}`
  const remove = isDone ? 'Removed' : 'Remove'
  if (action === 'remove') return `${remove} ${sources}`
  return country ? `Set the country of ${sources} to ${countryName(country)}` : `${remove} the country of ${sources}`
}

function changedMeanwhile(now: number, expected: number) {
  const many = (count: number) => count.toLocaleString('en')
  const matching = `${many(now)} ${now === 1 ? 'source matches' : 'sources match'} now`
  return `${matching} instead of ${many(expected)}. Check the list and try again.`
}
