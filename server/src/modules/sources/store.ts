import { countryCode } from '@watchdesk/contract/countries'
import {
  type MonitoredSource,
  type SourceDetails,
  type SourceQuery,
  type SourceUpdate,
  sourceList,
} from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audited, type Change, changesBetween } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import { isoTime } from '../../db/iso-time.ts'
import { listPage } from '../../db/list.ts'
import type { Db, Trx } from '../../db/open.ts'
import { deleteRecord, lockDeletedRecord, lockRecord, restoreRecord } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { invalid } from '../../problem.ts'
import type { RecordFacts } from '../activity/record-kind.ts'
import { operationReference } from '../operations/reference.ts'
import { conditionsOf } from './filter.ts'

export const SOURCE = {
  kind: 'source',
  table: 'sources',
  name: sql`url`,
  // Another content than an import left, so that undoing the import asks about it.
  alsoSet: () => sql`content_version = version + 1`,
  bin: {
    detail: sql`platform`,
    // Sources removed together have no event each, but nobody can change them afterwards.
    deleted_by: sql`(select json_build_object('id', id, 'name', full_name) from users where id = sources.updated_by)`,
  },
} as const satisfies RecordFacts

export function sourcesStore({ db, read, rights }: Pick<Deps, 'db' | 'read' | 'rights'>) {
  return { list, get, update, remove, restore }

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
  async function get(id: number): Promise<SourceDetails | undefined> {
    const [source] = await read(selectSources(db).select(time('deleted_at')).where('sources.id', '=', id))
    return source
  }

  function update(actor: Actor, id: number, body: SourceUpdate, ifMatch?: string, action: Change = 'update') {
    return rights.write(actor, async (trx) => {
      const current = await lockRecord(trx, SOURCE, id, ifMatch)
      checkCountry(body.country)
      const changes = changesBetween(current, body)
      if (Object.keys(changes).length === 0) return selected(trx, id)
      const record = { name: current.url, version: current.version + 1 }
      const edited = trx
        .with('audited', audited(actor, { action, entity: 'source', entity_id: id, record, changes }))
        .with('sources', (query) =>
          query
            .updateTable('sources')
            // Another content than an import left, so that undoing the import asks about it.
            .set({ ...body, ...editedBy(actor), content_version: sql<number>`version + 1` })
            .where('id', '=', id)
            .returningAll(),
        )
      return selectSources(edited).executeTakeFirstOrThrow()
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

/** Selects from the table, or from a CTE of the same name. */
function selectSources(db: Pick<Db, 'selectFrom'>) {
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
      time('created_at'),
      author('creators').as('created_by'),
      operationReference().as('import'),
      time('updated_at'),
      author('editors').as('updated_by'),
      'sources.version',
    ])
}

function time<Column extends 'created_at' | 'updated_at' | 'deleted_at'>(column: Column) {
  return isoTime(sql.ref(`sources.${column}`))
    .$castTo<Column extends 'deleted_at' ? string | null : string>()
    .as(column)
}

function author(users: 'creators' | 'editors') {
  const column = (name: string) => sql.ref(`${users}.${name}`)
  return sql<MonitoredSource['created_by']>`case when ${column('id')} is not null
    then json_build_object('id', ${column('id')}, 'name', ${column('full_name')}) end`
}
