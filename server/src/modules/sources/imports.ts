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
      ${isoTime(sql`coalesce(operations.finished_at, operations.created_at)`)} as at,
      case when operations.created_by is not null
        then json_build_object('id', operations.created_by, 'name', coalesce(operations.created_by_name, '')) end as by,
      case
        when touched.before is null then 'added'
        when touched.before ->> 'deleted_at' is not null then 'restored'
        when operations.kind = 'sources_change' and operations.details ->> 'action' = 'remove' then 'removed'
        when operations.kind = 'undo' and not exists (select from operation_changes as undone
          where undone.operation_id = operations.undoes_id and undone.record_id = ${id}::bigint
            and undone.before ->> 'deleted_at' is null) then 'removed'
        else 'country' end as effect,
      touched.before ->> 'country' as before
    from (
      select operation_id, before from (${changes}) as changes
      union all
      select coalesce((select (before ->> 'import_id')::int from (${changes}) as changes order by operation_id limit 1),
        case when not exists (${changes}) then sources.import_id end), null
      from sources where sources.id = ${id}::bigint
    ) as touched join operations on operations.id = operation_id
    order by operations.id desc limit ${sql.lit(AT_MOST)}`
}
