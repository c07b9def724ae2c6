import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { SOURCE_CHECKSUM } from '../../db/checksum.ts'

type Sql = RawBuilder<unknown>

/** Keeps the contents of the sources in `changing` for an undo, with the content version that each gets. */
export function keepSources(import_id: number, changing: Sql, content_version: Sql) {
  return sql`insert into operation_changes (operation_id, entity, record_id, before, after)
    select ${import_id}::int, 'sources', sources.id,
      jsonb_build_object('country', sources.country, 'deleted_at', sources.deleted_at, 'import_id', sources.import_id,
        'created_at', sources.created_at, 'created_by', sources.created_by, 'content_version', sources.content_version),
      jsonb_build_object('content_version', ${content_version})
    from sources join ${changing} on ${changing}.id = sources.id`
}

/**
 * Whether the import changed a source that existed. Looked up for each source: PostgreSQL does not know yet how many rows a
 * new import has, and with `not exists` may compare each with each.
 */
export function isChangedBy(import_id: number, source_id: Sql) {
  return sql`(select true from operation_changes where operation_id = ${import_id}::int and record_id = ${source_id}) is true`
}

/** Set by every change of a source, in addition to its fields. */
export function changedBy(actor: Pick<Actor, 'id'>) {
  return sql`version = sources.version + 1, content_version = sources.version + 1, updated_at = now(), updated_by = ${actor.id}::int`
}

/**
 * Changes many sources in one statement, and keeps what they were for the undo of the import. `changes` selects their `id`
 * and whatever `set` needs; their rows must be locked. Ends with the number of changed sources as `changed`.
 */
export function changeSources(import_id: number, changes: Sql, set: Sql) {
  return sql<{ changed: number }>`with changes as materialized (${changes}),
    kept as (${keepSources(import_id, sql`changes`, sql`sources.version + 1`)}),
    written as (update sources set ${set} from changes where changes.id = sources.id returning 1)
    select count(*) as changed from written`
}

/** The sources that an import added or changed. */
export function storedSources(id: number) {
  return sql`select ${SOURCE_CHECKSUM} as checksum, sources.content_version <> 1 as is_changed from sources
      where import_id = ${id} and not ${isChangedBy(id, sql`sources.id`)}
    union all select ${SOURCE_CHECKSUM}, sources.content_version <> (after ->> 'content_version')::int
    from sources join operation_changes on record_id = sources.id where operation_id = ${id}`
}
