import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { SOURCE_CHECKSUM } from '../../db/checksum.ts'
import type { Trx } from '../../db/open.ts'
import { recordsUndo } from '../operations/undo-records.ts'

type Sql = RawBuilder<unknown>

/** For an undo. `content_version` is the one that each of the sources in `changing` gets. */
function saveBeforeImages(import_id: number, changing: Sql, content_version: Sql) {
  return sql`insert into operation_changes (operation_id, entity, record_id, before, after)
    select ${import_id}::int, 'sources', sources.id,
      jsonb_build_object('country', sources.country, 'deleted_at', sources.deleted_at, 'import_id', sources.import_id,
        'created_at', sources.created_at, 'created_by', sources.created_by, 'content_version', sources.content_version),
      jsonb_build_object('content_version', ${content_version})
    from sources join ${changing} on ${changing}.id = sources.id`
}

/** Looked up for each source: PostgreSQL cannot know how many rows a new import has, and may compare each with each. */
function isChangedBy(import_id: number, source_id: Sql) {
  return sql`(select true from operation_changes where operation_id = ${import_id}::int and record_id = ${source_id}) is true`
}

/** `changes` selects the `id` of sources whose rows are locked, and whatever `set` needs. Returns how many changed. */
export async function changeSources(trx: Trx, actor: Actor, import_id: number, changes: Sql, set: Sql) {
  const { numAffectedRows } = await sql`with changes as materialized (${changes}),
    kept as (${saveBeforeImages(import_id, sql`changes`, sql`sources.version + 1`)})
    update sources set ${set}, version = sources.version + 1, content_version = sources.version + 1, updated_at = now(),
      updated_by = ${actor.id}::int
    from changes where changes.id = sources.id`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export function storedSources(id: number) {
  return sql`select ${SOURCE_CHECKSUM} as checksum, sources.content_version <> 1 as is_changed from sources
      where import_id = ${id} and not ${isChangedBy(id, sql`sources.id`)}
    union all select ${SOURCE_CHECKSUM}, sources.content_version <> (after ->> 'content_version')::int
    from sources join operation_changes on record_id = sources.id where operation_id = ${id}`
}

const WAS_REMOVED = sql`(changes.before is null or changes.before ->> 'deleted_at' is not null)`

export const sourcesUndo = recordsUndo({
  entity: 'sources',
  table: 'sources',
  implied: ({ id }) => sql`select id, null, '{"content_version": 1}' from sources where import_id = ${id}
    and not ${isChangedBy(id, sql`sources.id`)}`,
  isUnchanged: sql`sources.content_version = (changes.after ->> 'content_version')::int`,
  effect: sql`case when ${WAS_REMOVED} and sources.deleted_at is null then 'sources_removed'
    when not ${WAS_REMOVED} and sources.deleted_at is not null then 'sources_restored'
    when changes.before is null then 'nothing'
    else 'sources_put_back' end`,
  lock: sql`for no key update`,
  listed: sql`sources.url as name,
    case when sources.deleted_at is not null then 'removed'
      when ${WAS_REMOVED} or sources.country is distinct from changes.before ->> 'country' then 'edited'
      else 'restored' end as what,
    sources.country as current, changes.before ->> 'country' as earlier`,
  // A source that the import had added gets a new content version: nothing had it before. What is removed again stays in
  // the bin from now on: with the former time, it could be deleted for good at once.
  async write(trx, actor, _chain, import_id) {
    const version = sql`coalesce((undoing.before ->> 'content_version')::int, sources.version + 1)`
    await sql`with kept as (${saveBeforeImages(import_id, sql`undoing`, version)})
      update sources set version = sources.version + 1, content_version = ${version},
        deleted_at = case when before is null or before ->> 'deleted_at' is not null then now() end,
        country = case when before is null then country else before ->> 'country' end,
        import_id = case when before is null then import_id else (before ->> 'import_id')::int end,
        created_at = case when before is null then created_at else (before ->> 'created_at')::timestamptz end,
        created_by = case when before is null then created_by else (before ->> 'created_by')::int end,
        updated_at = now(), updated_by = ${actor.id}
      from undoing where undoing.id = sources.id`.execute(trx)
    return {}
  },
})
