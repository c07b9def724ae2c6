import { countryName } from '@watchdesk/contract/countries'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourcesChange, SourcesChanged } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { retryOnDeadlock } from '../../db/deadlock.ts'
import { once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import { conflict } from '../../problem.ts'
import { beginImport, endImport } from '../imports/record.ts'
import { changeSources as change, changedBy } from '../imports/source-changes.ts'
import { whereOf } from './filter.ts'
import { checkCountry } from './store.ts'

/** Changes or removes many sources in one transaction, as an import that can be undone. */
export async function changeSources(rights: Rights, actor: Actor, body: SourcesChange, key: string | undefined) {
  checkCountry(body.country)
  const call = { name: 'POST /api/v1/sources/change', key, request: JSON.stringify(body) }
  return retryOnDeadlock(() =>
    rights.writeLong(actor, TIMEOUT_MS.undo, (trx) => once(trx, actor, call, () => changeAll(trx, actor, body))),
  )
}

async function changeAll(trx: Trx, actor: Actor, body: SourcesChange): Promise<SourcesChanged> {
  const { matching, different } = await lockMatching(trx, body)
  if (matching !== body.expected_count) throw conflict(changedMeanwhile(matching, body.expected_count))
  if (different === 0) return { changed_count: 0, import_id: null }

  const { action, country, filter, ids } = body
  const details = { action, ...(country !== undefined && { country }), ...(filter ? { filter } : { ids: ids?.length }) }
  const import_id = await beginImport(trx, actor, { kind: 'sources_change', details })
  const field = action === 'remove' ? sql`deleted_at = now()` : sql`country = ${country ?? null}`
  const chosen = sql`select id from chosen where is_different`
  const { rows } = await change(import_id, chosen, sql`${field}, ${changedBy(actor)}`).execute(trx)
  const changed_count = rows[0]?.changed ?? 0
  await endImport(trx, import_id, {
    counts: { changed: changed_count },
    details: { summary: summaryOf(body, changed_count) },
  })
  const changes = {
    ...changesBetween({}, { changed_count }),
    // Also to none, which is not told from no change otherwise.
    ...(action === 'set_country' && { country: { before: null, after: country ?? null } }),
  }
  await audit(trx, actor, {
    action: action === 'remove' ? 'delete' : 'update',
    entity: 'sources',
    entity_id: import_id,
    changes,
  })
  return { changed_count, import_id }
}

/**
 * Locks the sources in the order of their ids, so that two changes wait for each other instead of ending in a deadlock,
 * and lists them as they are then: what matched before the wait may match no more.
 */
async function lockMatching(trx: Trx, { action, country, filter, ids }: SourcesChange) {
  const matches = filter ? whereOf(filter) : sql`sources.id = any(${ids}::bigint[]) and sources.deleted_at is null`
  const isDifferent = action === 'remove' ? sql`true` : sql`sources.country is distinct from ${country ?? null}`
  await sql`create temp table chosen (id bigint not null, is_different boolean not null) on commit drop`.execute(trx)
  await sql`insert into chosen select sources.id, ${isDifferent} from sources where ${matches}
    order by sources.id for no key update`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  const { rows } = await sql<{ matching: number; different: number }>`select count(*) as matching,
    count(*) filter (where is_different) as different from chosen`.execute(trx)
  return rows[0] ?? { matching: 0, different: 0 }
}

function summaryOf({ action, country }: SourcesChange, count: number) {
  const sources = `${count.toLocaleString('en')} ${count === 1 ? 'source' : 'sources'}`
  if (action === 'remove') return `Removed ${sources}`
  return country ? `Set the country of ${sources} to ${countryName(country)}` : `Removed the country of ${sources}`
}

function changedMeanwhile(now: number, expected: number) {
  const many = (count: number) => count.toLocaleString('en')
  const matching = `${many(now)} ${now === 1 ? 'source matches' : 'sources match'} now`
  return `${matching} instead of ${many(expected)}. Check the list and try again.`
}
