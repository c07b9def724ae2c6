import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'

/** The content of a source, to be put back by an undo. */
export const CONTENT = sql`jsonb_build_object('country', sources.country, 'deleted_at', sources.deleted_at,
  'import_id', sources.import_id, 'created_at', sources.created_at, 'created_by', sources.created_by,
  'content_version', sources.content_version)`

/**
 * Whether the import changed a source that existed. Looked up for each source: PostgreSQL does not know yet how many rows a
 * new import has, and with `not exists` may compare each with each.
 */
export function isChangedBy(import_id: number, source_id: RawBuilder<unknown>) {
  return sql`(select true from source_changes where source_changes.import_id = ${import_id}::int
    and source_changes.source_id = ${source_id}) is true`
}

/** Set by every change of a source, in addition to its fields. */
export function changedBy(actor: Pick<Actor, 'id'>) {
  return sql`version = sources.version + 1, content_version = sources.version + 1, updated_at = now(), updated_by = ${actor.id}::int`
}

/**
 * Changes many sources in one statement, and keeps what they were for the undo of the import. `changes` selects their `id`
 * and whatever `set` needs; their rows must be locked. Ends with the number of changed sources as `changed`.
 */
export function changeSources(import_id: number, changes: RawBuilder<unknown>, set: RawBuilder<unknown>) {
  return sql<{ changed: number }>`with changes as materialized (${changes}), kept as (
      insert into source_changes (import_id, source_id, before, content_version)
      select ${import_id}::int, sources.id, ${CONTENT}, sources.version + 1
      from sources join changes on changes.id = sources.id
    ), written as (
      update sources set ${set} from changes where changes.id = sources.id returning 1
    )
    select count(*) as changed from written`
}
