import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isUniqueViolation } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import { exists } from '../../db/read.ts'
import { lockRows } from '../../db/records.ts'
import { changeSources } from '../sources/write-many.ts'

export type Writing = {
  import_id: number
  /** Whether sources that are monitored get the country of their row, or are only marked. */
  known: 'update' | 'mark'
  /** Whether the rows have a column for the country. Without it, monitored sources keep theirs. */
  hasCountry: boolean
}

/** Known sources are marked first: `on conflict do nothing` takes half as long again. Repeated if others commit some. */
export async function writeSources(trx: Trx, actor: Actor, writing: Writing) {
  do {
    if (await markKnown(trx, writing)) await lockRemoved(trx)
  } while (!(await tryInsert(trx, actor, writing)))
  if (await exists(trx, sql`select from incoming where source_id is not null`)) {
    await revive(trx, actor, writing)
    if (writing.known === 'update' && writing.hasCountry) await update(trx, actor, writing)
  }
  if (writing.known === 'update') await nameOutcomes(trx)
}

function knownOutcome({ known }: Writing) {
  return known === 'update' ? 'unchanged' : 'already monitored'
}

const SAME_SOURCE = sql`sources.platform = incoming.platform collate "default"
  and sources.url = incoming.url collate "default"`

async function markKnown(trx: Trx, writing: Writing) {
  const { numAffectedRows } = await sql`update incoming set source_id = sources.id,
      outcome = case when sources.deleted_at is null then ${knownOutcome(writing)} else outcome end
    from sources where outcome = 'requested' and source_id is null and ${SAME_SOURCE}`.execute(trx)
  return Number(numAffectedRows ?? 0) > 0
}

/** Keeps removed sources from being removed for good. Those that no longer exist by now are added like any other. */
async function lockRemoved(trx: Trx) {
  const removed = sql`outcome = 'requested' and source_id is not null`
  await lockRows(trx, 'sources', sql`id in (select source_id from incoming where ${removed})`, 'no key update')
  await sql`update incoming set source_id = null where ${removed}
    and not exists (select from sources where sources.id = source_id)`.execute(trx)
}

/** Always inserts in the same order, so that concurrent imports of the same rows do not deadlock. */
async function tryInsert(trx: Trx, actor: Actor, { import_id }: Writing) {
  await sql`savepoint inserting`.execute(trx)
  try {
    await sql`insert into sources (platform, url, country, import_id, created_by, updated_by)
      select platform, url, country, ${import_id}::int, ${actor.id}::int, ${actor.id}::int
      from incoming where outcome = 'requested' and source_id is null order by url, platform`.execute(trx)
    return true
  } catch (error) {
    if (!isUniqueViolation(error, 'sources_by_url')) throw error
    await sql`rollback to savepoint inserting`.execute(trx)
    return false
  }
}

/** Removed sources get the country of their row. If somebody restores one at this moment, it is monitored already. */
async function revive(trx: Trx, actor: Actor, writing: Writing) {
  const { import_id } = writing
  await sql`create temp table reviving on commit drop as
    select sources.id, incoming.country from sources join incoming on incoming.source_id = sources.id
    where incoming.outcome = 'requested' and sources.deleted_at is not null
    order by sources.id for no key update of sources`.execute(trx)
  // The import that had added a source is no longer found in the source, so it is kept here.
  await sql`insert into operation_changes (operation_id, entity, record_id, after)
    select sources.import_id, 'sources', sources.id, '{"content_version": 1}' from reviving join sources on sources.id = reviving.id
      join operations on operations.id = sources.import_id where not operations.is_purged on conflict do nothing`.execute(
    trx,
  )
  const set = sql`deleted_at = null, country = changes.country, import_id = ${import_id}::int, created_at = now(),
    created_by = ${actor.id}::int`
  await changeSources(trx, actor, import_id, sql`select id, country from reviving`, set)
  await sql`update incoming set outcome = ${knownOutcome(writing)} where outcome = 'requested' and source_id is not null
    and not exists (select from reviving where reviving.id = source_id)`.execute(trx)
}

/** Gives monitored sources the country of their row. Locked in the order of their ids, so that imports do not deadlock. */
async function update(trx: Trx, actor: Actor, { import_id }: Writing) {
  await sql`create temp table updating on commit drop as
    select sources.id, incoming.country, incoming.place from sources join incoming on incoming.source_id = sources.id
    where incoming.outcome = 'unchanged' and sources.deleted_at is null
      and sources.country is distinct from incoming.country
    order by sources.id for no key update of sources`.execute(trx)
  await changeSources(trx, actor, import_id, sql`select id, country from updating`, sql`country = changes.country`)
  await sql`update incoming set outcome = 'updated' where place in (select place from updating)`.execute(trx)
}

/** In the words of source management: the rows come from a sheet, and all are of one platform. */
async function nameOutcomes(trx: Trx) {
  await sql`update incoming set outcome = case outcome when 'requested' then 'added'
      when 'unsupported platform' then 'URL of another platform' else 'repeated in the sheet' end
    where outcome in ('requested', 'unsupported platform', 'repeated in the file')`.execute(trx)
}
