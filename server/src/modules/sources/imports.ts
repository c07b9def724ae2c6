import type { SourceImportEntry } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import type { Read } from '../../db/read.ts'
import { found } from '../../problem.ts'
import { importReference } from '../imports/reference.ts'

const AT_MOST = 100

/** The imports that added or changed a source, newest first. Throws if there is no such source. */
export async function importsOfSource(read: Read, id: number): Promise<SourceImportEntry[]> {
  const [source] = await read(sql<{
    objects: SourceImportEntry[]
  }>`select coalesce((select json_agg(entry) from (${entries(id)}) as entry), '[]') as objects
      from sources where id = ${id}`)
  return found(source, 'Source').objects
}

/**
 * The import that added it is the one before the first change. What a change did follows from what was before, from what
 * was to be done, and for an undo, from what the undone import did.
 */
function entries(id: number) {
  return sql`select ${importReference()} as import,
      ${isoTime(sql`coalesce(imports.finished_at, imports.created_at)`)} as at,
      case when imports.created_by is not null
        then json_build_object('id', imports.created_by, 'name', coalesce(imports.created_by_name, '')) end as by,
      case
        when touched.before is null then 'added'
        when touched.before ->> 'deleted_at' is not null then 'restored'
        when imports.kind = 'sources_change' and imports.details ->> 'action' = 'remove' then 'removed'
        when imports.kind = 'undo' and not exists (select from source_changes as undone
          where undone.import_id = imports.undoes_id and undone.source_id = ${id}::bigint
            and undone.before ->> 'deleted_at' is null) then 'removed'
        else 'country' end as effect,
      touched.before ->> 'country' as before
    from (
      select import_id, before from source_changes where source_id = ${id}::bigint
      union all
      select coalesce((select (before ->> 'import_id')::int from source_changes where source_id = sources.id
          order by import_id limit 1), case when not exists (select from source_changes where source_id = sources.id)
          then sources.import_id end), null
      from sources where sources.id = ${id}::bigint
    ) as touched join imports on imports.id = touched.import_id
    order by imports.id desc limit ${sql.lit(AT_MOST)}`
}
