import { ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import {
  type Operation,
  type OperationFilter,
  type OperationQuery,
  type OperationRows,
  type OperationRowsQuery,
  operationList,
} from '@watchdesk/contract/operations/operations'
import { type RawBuilder, sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import { likePart, listPage } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import { countRows, readRows } from '../../db/row-sets.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import type { OperationKinds } from './kind.ts'
import { operationReference, personReference } from './reference.ts'
import { problemOf } from './undoable.ts'

export function operationsStore({ db, read, inSnapshot, kinds }: Deps) {
  return { list, get, rows, rowSet }

  function list(query: OperationQuery) {
    return listPage(read, {
      table: 'operations',
      options: operationList,
      query,
      filters: conditionsOf(query),
      rows: (id) => selectOperations(db, kinds).where('operations.id', '=', id),
    })
  }

  async function get(id: number) {
    const [row] = await read(selectOperations(db, kinds).where('operations.id', '=', id))
    return found(row, 'Import')
  }

  async function rowSet(id: number) {
    const query = db
      .selectFrom('operations')
      .leftJoin('row_sets', 'row_sets.id', 'operations.rows_id')
      .select(['operations.id', 'operations.kind', 'operations.name', 'operations.rows_id', 'operations.details'])
      .select(CHANGED_COUNT.as('changed_count'))
      .select(['row_sets.header', 'row_sets.row_count', 'row_sets.outcomes'])
      .where('operations.id', '=', id)
    const [row] = await read(query)
    const { header, row_count, ...others } = found(row, 'Import')
    return { ...others, header: header ?? [], row_count: row_count ?? 0 }
  }

  /** The rows of a set never change, so they need not be of the same snapshot as the import. */
  async function rows(id: number, query: OperationRowsQuery): Promise<OperationRows> {
    const { offset = 0, limit = ROWS_AT_ONCE, outcome: outcomes } = query
    const { rows_id, header, changed_count, kind, ...counts } = await rowSet(id)
    const { changed } = kinds[kind]
    if (changed && changed_count !== null) {
      if (outcomes) return { header: changed.header, rows: [], total: 0 }
      const rows = await inSnapshot((snapshot) => changed.read(snapshot, counts, { offset, limit }))
      return { header: changed.header, rows, total: changed_count }
    }
    const total = countRows(counts, outcomes)
    if (rows_id === null) return { header, rows: [], total }
    const rows = await inSnapshot((snapshot) => readRows(snapshot, rows_id, { offset, limit, outcomes, total }))
    return { header, rows, total }
  }
}

export function conditionsOf({ search, kind, state, created_by, from, to }: OperationFilter): RawBuilder<unknown>[] {
  return [
    search &&
      likePart(sql`lower(coalesce(operations.name, '') || E'\n' || coalesce(operations.sheet_url, ''))`, search),
    kind && sql`operations.kind = ${kind}`,
    // A literal, for the sake of the index of those that failed.
    state && state !== 'undone' && sql`operations.state = ${sql.lit(state)}`,
    // The list shows 'Undone' instead of 'Done'.
    state === 'undone' && sql`operations.is_undone`,
    state === 'done' && sql`not operations.is_undone`,
    created_by && sql`operations.created_by = ${created_by}`,
    from && sql`operations.created_at >= ${from}::date::timestamp at time zone 'UTC'`,
    to && sql`operations.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'`,
  ].filter((condition) => typeof condition === 'object')
}

/** Imports as the API returns them. A redo has an `origin`: the import that is done again. */
function selectOperations(db: Db, kinds: OperationKinds) {
  return db
    .selectFrom('operations')
    .leftJoin('row_sets', 'row_sets.id', 'operations.rows_id')
    .leftJoin('jobs', 'jobs.id', 'operations.job_id')
    .leftJoin('operations as undone', 'undone.id', 'operations.undoes_id')
    .leftJoin('operations as origin', 'origin.id', 'undone.undoes_id')
    .select([
      'operations.id',
      'operations.kind',
      'operations.name',
      'operations.bytes',
      'operations.platform',
      'operations.sheet_url',
      'operations.created_sheet_url',
      'operations.counts',
      sql<Operation['rows_count']>`coalesce(row_sets.row_count, ${CHANGED_COUNT})`.as('rows_count'),
      sql<number>`coalesce((operations.details ->> 'skipped_count')::int, 0)`.as('skipped_count'),
      'operations.verification',
      'operations.job_id',
      'operations.state',
      'operations.error',
      sql<Operation['summary']>`operations.details ->> 'summary'`.as('summary'),
      isoTime(sql`operations.created_at`).as('created_at'),
      isoTime(sql`operations.started_at`).$castTo<Operation['started_at']>().as('started_at'),
      isoTime(sql`operations.finished_at`).$castTo<Operation['finished_at']>().as('finished_at'),
      personReference('operations.created_by', 'operations.created_by_name').as('created_by'),
      operationReference('undone').as('undoes'),
      sql<boolean>`origin.id is not null`.as('is_redo'),
      sql<Operation['origin_kind']>`coalesce(origin.kind, undone.kind, operations.kind)`.as('origin_kind'),
      UNDONE.as('undone'),
      UNDOING.as('undoing'),
      sql<boolean>`(${problemOf(kinds)}) is null`.as('can_undo'),
      sql<Operation['progress']>`case when jobs.state in ('queued', 'running') then json_build_object(
        'step', coalesce(jobs.progress ->> 'step', 'waiting'), 'done', coalesce((jobs.progress ->> 'done')::bigint, 0),
        'total', (jobs.progress ->> 'total')::bigint) end`.as('progress'),
    ])
}

// A job may have waited, so it counts when it has ended.
const UNDONE = sql<Operation['undone']>`case when operations.is_undone then (
  select json_build_object('import_id', undo.id, 'at', ${isoTime(sql`coalesce(undo.finished_at, undo.created_at)`)},
    'by', json_build_object('id', undo.created_by, 'name', undo.created_by_name),
    'left_count', coalesce((undo.counts ->> 'left alone')::bigint, 0))
  from operations as undo where undo.undoes_id = operations.id and undo.state = 'done' order by undo.id desc limit 1) end`

const UNDOING = sql<Operation['undoing']>`(
  select json_build_object('import_id', undo.id, 'is_redo', undo.undoes_id <> operations.id)
  from operations as undo where undo.state in ('queued', 'running') and (undo.undoes_id = operations.id
    or undo.undoes_id in (select id from operations as earlier where earlier.undoes_id = operations.id)))`

/** Of one that keeps no rows, because they follow from what it changed. */
const CHANGED_COUNT = sql<number | null>`case when operations.rows_id is null and not operations.is_purged
  then (operations.counts ->> 'changed')::int end`
