import type { Operation } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import type { Db } from '../../db/open.ts'
import type { OperationKinds } from './kind.ts'
import { operationReference } from './reference.ts'
import { problemOf } from './undoable.ts'

/** Imports as the API returns them. A redo has an `origin`: the import that is done again. */
export function selectOperations(db: Db, kinds: OperationKinds) {
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
      sql<Operation['created_by']>`case when operations.created_by is not null
        then json_build_object('id', operations.created_by, 'name', operations.created_by_name) end`.as('created_by'),
      operationReference('undone').as('undoes'),
      sql<boolean>`origin.id is not null`.as('is_redo'),
      sql<Operation['origin_kind']>`coalesce(origin.kind, undone.kind, operations.kind)`.as('origin_kind'),
      sql<Operation['undone']>`case when operations.is_undone then (
        select json_build_object('import_id', undo.id, 'at', ${isoTime(DONE_AT)}, 'by',
          json_build_object('id', undo.created_by, 'name', undo.created_by_name),
          'left_count', coalesce((undo.counts ->> 'left alone')::bigint, 0))
        from operations as undo where undo.undoes_id = operations.id and undo.state = 'done' order by undo.id desc limit 1) end`.as(
        'undone',
      ),
      sql<
        Operation['undoing']
      >`(select json_build_object('import_id', undo.id, 'is_redo', undo.undoes_id <> operations.id)
        from operations as undo where undo.state in ('queued', 'running') and (undo.undoes_id = operations.id
          or undo.undoes_id in (select id from operations as earlier where earlier.undoes_id = operations.id)))`.as(
        'undoing',
      ),
      sql<boolean>`(${problemOf(kinds)}) is null`.as('can_undo'),
      sql<Operation['progress']>`case when jobs.state in ('queued', 'running') then json_build_object(
        'step', coalesce(jobs.progress ->> 'step', 'waiting'), 'done', coalesce((jobs.progress ->> 'done')::bigint, 0),
        'total', (jobs.progress ->> 'total')::bigint) end`.as('progress'),
    ])
}

/** Of one that keeps no rows, because they follow from what it changed. */
export const CHANGED_COUNT = sql<number | null>`case when operations.rows_id is null and not operations.is_purged
  then (operations.counts ->> 'changed')::int end`

/** A job may have waited. */
const DONE_AT = sql`coalesce(undo.finished_at, undo.created_at)`
