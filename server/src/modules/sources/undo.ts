import { sql } from 'kysely'
import { recordsUndo } from '../operations/undo-records.ts'
import { isChangedBy, keepSources } from './write-many.ts'

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
    await sql`with kept as (${keepSources(import_id, sql`undoing`, version)})
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
