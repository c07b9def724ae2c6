import { countryCode } from '@watchdesk/contract/countries'
import { type SourceImportEntry, type SourceQuery, type SourceUpdate, sourceList } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { type Change, changesBetween } from '../../db/audit.ts'
import { isoTime } from '../../db/iso-time.ts'
import { listPage } from '../../db/list.ts'
import type { Db, Trx } from '../../db/open.ts'
import { deleteRecord, editRecord, lockDeletedRecord, lockRecord, restoreRecord } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { found, invalid } from '../../problem.ts'
import type { RecordFacts } from '../activity/record-kind.ts'
import { operationReference, personReference } from '../operations/reference.ts'
import { conditionsOf } from './filter.ts'

/** Than an import left, so that undoing the import asks about it. */
const OTHER_CONTENT = { content_version: sql<number>`version + 1` }

export const SOURCE = {
  kind: 'source',
  table: 'sources',
  name: sql`url`,
  alsoSet: () => OTHER_CONTENT,
  bin: {
    detail: sql`platform`,
    // Sources removed together have no event each, but nobody can change them afterwards.
    deleted_by: sql`(select json_build_object('id', id, 'name', full_name) from users where id = sources.updated_by)`,
  },
} as const satisfies RecordFacts

const IMPORTS_LISTED = 100

export function sourcesStore({ db, read, rights }: Deps) {
  return { list, get, imports, update, remove, restore }

  function list(query: SourceQuery) {
    return listPage(read, {
      table: 'sources',
      options: sourceList,
      query,
      filters: conditionsOf(query),
      rows: (id) => selectSources(db).where('sources.id', '=', id),
    })
  }

  /** Also one that was removed, until it is deleted for good. */
  async function get(id: number) {
    const deleted_at = isoTime(sql`sources.deleted_at`).$castTo<string | null>()
    const [source] = await read(selectSources(db).select(deleted_at.as('deleted_at')).where('sources.id', '=', id))
    return source
  }

  async function imports(id: number) {
    const query = sql<{ objects: SourceImportEntry[] }>`select coalesce((select json_agg(entry)
      from (${importsOf(id)}) as entry), '[]') as objects from sources where id = ${id}`
    const [source] = await read(query)
    return found(source, 'Source')
  }

  function update(actor: Actor, id: number, body: SourceUpdate, ifMatch?: string, action: Change = 'update') {
    return rights.write(actor, async (trx) => {
      const current = await lockRecord(trx, SOURCE, id, ifMatch)
      checkCountry(body.country)
      const changes = changesBetween(current, body)
      if (Object.keys(changes).length > 0)
        await editRecord(trx, actor, SOURCE, current, { ...body, ...OTHER_CONTENT }, { action, changes })
      return selected(trx, id)
    })
  }

  async function remove(actor: Actor, id: number, ifMatch?: string) {
    await rights.write(actor, async (trx) => {
      await deleteRecord(trx, actor, SOURCE, await lockRecord(trx, SOURCE, id, ifMatch))
    })
  }

  function restore(actor: Actor, id: number, options: { parent_id?: number } = {}) {
    return rights.write(actor, async (trx) => {
      await restoreRecord(trx, actor, SOURCE, await lockDeletedRecord(trx, SOURCE, id), options)
      return selected(trx, id)
    })
  }
}

/** The list of countries is too large for the schema, which the console loads too. */
export function checkCountry(country: string | null | undefined) {
  if (country && countryCode(country) !== country) throw invalid('country', 'Choose a country.')
}

function selected(trx: Trx, id: number) {
  return selectSources(trx).where('sources.id', '=', id).executeTakeFirstOrThrow()
}

function selectSources(db: Db) {
  return db
    .selectFrom('sources')
    .leftJoin('operations', 'operations.id', 'sources.import_id')
    .leftJoin('users as creators', 'creators.id', 'sources.created_by')
    .leftJoin('users as editors', 'editors.id', 'sources.updated_by')
    .select([
      'sources.id',
      'sources.platform',
      'sources.url',
      'sources.country',
      isoTime(sql`sources.created_at`).as('created_at'),
      personReference('creators.id', 'creators.full_name').as('created_by'),
      operationReference().as('import'),
      isoTime(sql`sources.updated_at`).as('updated_at'),
      personReference('editors.id', 'editors.full_name').as('updated_by'),
      'sources.version',
    ])
}

/**
 * The import that added it is the one before the first change. What a change did follows from what was before, from what
 * was to be done, and for an undo, from what the undone import did.
 */
function importsOf(id: number) {
  const changes = sql`select operation_id, before from operation_changes
    where entity = 'sources' and record_id = ${id}::bigint`
  return sql`select ${operationReference()} as import,
      ${isoTime(sql`coalesce(operations.finished_at, operations.created_at)`)} as at,
      ${personReference('operations.created_by', 'operations.created_by_name')} as by,
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
    order by operations.id desc limit ${sql.lit(IMPORTS_LISTED)}`
}
