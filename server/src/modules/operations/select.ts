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
    .selectFrom('imports')
    .leftJoin('row_sets', 'row_sets.id', 'imports.rows_id')
    .leftJoin('jobs', 'jobs.id', 'imports.job_id')
    .leftJoin('imports as undone', 'undone.id', 'imports.undoes_id')
    .leftJoin('imports as origin', 'origin.id', 'undone.undoes_id')
    .select([
      'imports.id',
      'imports.kind',
      'imports.name',
      'imports.bytes',
      'imports.platform',
      'imports.sheet_url',
      'imports.created_sheet_url',
      'imports.counts',
      sql<Operation['rows_count']>`coalesce(row_sets.row_count, ${CHANGED_COUNT})`.as('rows_count'),
      sql<number>`coalesce((imports.details ->> 'skipped_count')::int, 0)`.as('skipped_count'),
      'imports.verification',
      'imports.job_id',
      'imports.state',
      'imports.error',
      sql<Operation['summary']>`imports.details ->> 'summary'`.as('summary'),
      isoTime(sql`imports.created_at`).as('created_at'),
      isoTime(sql`imports.started_at`).$castTo<Operation['started_at']>().as('started_at'),
      isoTime(sql`imports.finished_at`).$castTo<Operation['finished_at']>().as('finished_at'),
      sql<Operation['created_by']>`case when imports.created_by is not null
        then json_build_object('id', imports.created_by, 'name', imports.created_by_name) end`.as('created_by'),
      operationReference('undone').as('undoes'),
      sql<boolean>`origin.id is not null`.as('is_redo'),
      sql<Operation['origin_kind']>`coalesce(origin.kind, undone.kind, imports.kind)`.as('origin_kind'),
      sql<Operation['undone']>`case when imports.is_undone then (
        select json_build_object('import_id', undo.id, 'at', ${isoTime(DONE_AT)}, 'by',
          json_build_object('id', undo.created_by, 'name', undo.created_by_name),
          'left_count', coalesce((undo.counts ->> 'left alone')::bigint, 0))
        from imports as undo where undo.undoes_id = imports.id and undo.state = 'done' order by undo.id desc limit 1) end`.as(
        'undone',
      ),
      sql<Operation['undoing']>`(select json_build_object('import_id', undo.id, 'is_redo', undo.undoes_id <> imports.id)
        from imports as undo where undo.state in ('queued', 'running') and (undo.undoes_id = imports.id
          or undo.undoes_id in (select id from imports as earlier where earlier.undoes_id = imports.id)))`.as(
        'undoing',
      ),
      sql<boolean>`(${problemOf(kinds)}) is null`.as('can_undo'),
      sql<Operation['progress']>`case when jobs.state in ('queued', 'running') then json_build_object(
        'step', coalesce(jobs.progress ->> 'step', 'waiting'), 'done', coalesce((jobs.progress ->> 'done')::bigint, 0),
        'total', (jobs.progress ->> 'total')::bigint) end`.as('progress'),
    ])
}

/** Of one that keeps no rows, because they follow from what it changed. */
export const CHANGED_COUNT = sql<number | null>`case when imports.rows_id is null and not imports.is_purged
  then (imports.counts ->> 'changed')::int end`

/** A job may have waited. */
const DONE_AT = sql`coalesce(undo.finished_at, undo.created_at)`
