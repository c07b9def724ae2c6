import type { SourceImportEntry } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import type { Read } from '../../db/read.ts'
import { found } from '../../problem.ts'
import { operationReference } from '../operations/reference.ts'

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
  const changes = sql`select operation_id, before from operation_changes
    where entity = 'sources' and record_id = ${id}::bigint`
  return sql`select ${operationReference()} as import,
      ${isoTime(sql`coalesce(imports.finished_at, imports.created_at)`)} as at,
      case when imports.created_by is not null
        then json_build_object('id', imports.created_by, 'name', coalesce(imports.created_by_name, '')) end as by,
      case
        when touched.before is null then 'added'
        when touched.before ->> 'deleted_at' is not null then 'restored'
        when imports.kind = 'sources_change' and imports.details ->> 'action' = 'remove' then 'removed'
        when imports.kind = 'undo' and not exists (select from operation_changes as undone
          where undone.operation_id = imports.undoes_id and undone.record_id = ${id}::bigint
            and undone.before ->> 'deleted_at' is null) then 'removed'
        else 'country' end as effect,
      touched.before ->> 'country' as before
    from (
      select operation_id, before from (${changes}) as changes
      union all
      select coalesce((select (before ->> 'import_id')::int from (${changes}) as changes order by operation_id limit 1),
        case when not exists (${changes}) then sources.import_id end), null
      from sources where sources.id = ${id}::bigint
    ) as touched join imports on imports.id = operation_id
    order by imports.id desc limit ${sql.lit(AT_MOST)}`
}
