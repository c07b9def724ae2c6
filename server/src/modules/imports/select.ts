import type { Import } from '@watchdesk/contract/imports'
import { sql } from 'kysely'
import { isoTime } from '../../db/iso-time.ts'
import type { Db } from '../../db/open.ts'
import { CHANGED_COUNT } from './changed-sources.ts'
import { importReference } from './reference.ts'
import { UNDOABLE } from './undo-kind.ts'

/** Imports as the API returns them. */
export function selectImports(db: Db) {
  return db
    .selectFrom('imports')
    .leftJoin('row_sets', 'row_sets.id', 'imports.rows_id')
    .leftJoin('jobs', 'jobs.id', 'imports.job_id')
    .leftJoin('imports as undone', 'undone.id', 'imports.undoes_id')
    .select([
      'imports.id',
      'imports.kind',
      'imports.name',
      'imports.bytes',
      'imports.platform',
      'imports.sheet_url',
      'imports.created_sheet_url',
      'imports.counts',
      sql<Import['rows_count']>`coalesce(row_sets.row_count, ${CHANGED_COUNT})`.as('rows_count'),
      sql<number>`coalesce((imports.details ->> 'skipped_count')::int, 0)`.as('skipped_count'),
      'imports.verification',
      'imports.job_id',
      'imports.state',
      'imports.error',
      sql<Import['summary']>`imports.details ->> 'summary'`.as('summary'),
      isoTime(sql`imports.created_at`).as('created_at'),
      isoTime(sql`imports.started_at`).$castTo<Import['started_at']>().as('started_at'),
      isoTime(sql`imports.finished_at`).$castTo<Import['finished_at']>().as('finished_at'),
      sql<Import['created_by']>`case when imports.created_by is not null
        then json_build_object('id', imports.created_by, 'name', imports.created_by_name) end`.as('created_by'),
      importReference('undone').as('undoes'),
      sql<boolean>`${IS_REDO}`.as('is_redo'),
      sql<Import['origin_kind']>`${ORIGIN_KIND}`.as('origin_kind'),
      sql<Import['undone']>`case when imports.is_undone then (
        select json_build_object('import_id', undo.id, 'at', ${isoTime(DONE_AT)}, 'by',
          json_build_object('id', undo.created_by, 'name', undo.created_by_name),
          'left_count', coalesce((undo.counts ->> 'left alone')::bigint, 0))
        from imports as undo where undo.id = ${LAST_UNDO}) end`.as('undone'),
      sql<Import['undoing']>`(select json_build_object('import_id', id, 'is_redo', place % 2 = 0)
        from (${UNDOING}) as undoing)`.as('undoing'),
      sql<boolean>`${UNDOABLE} and not imports.is_undone and not exists (${UNDOING})`.as('can_undo'),
      sql<Import['progress']>`case when jobs.state in ('queued', 'running') then json_build_object(
        'step', coalesce(jobs.progress ->> 'step', 'waiting'), 'done', coalesce((jobs.progress ->> 'done')::bigint, 0),
        'total', (jobs.progress ->> 'total')::bigint) end`.as('progress'),
    ])
}

/** A job may have waited. */
const DONE_AT = sql`coalesce(undo.finished_at, undo.created_at)`

/** The undo of an undo, and every second one after it. */
const IS_REDO = sql`(with recursive chain as (
    select imports.undoes_id as id, 1 as place
    union all select earlier.undoes_id, place + 1 from imports as earlier join chain on earlier.id = chain.id
    where earlier.undoes_id is not null
  ) select max(place) % 2 = 0 from chain)`

/** The kind of the first import of the chain. */
const ORIGIN_KIND = sql`(with recursive chain as (
    select imports.undoes_id, imports.kind
    union all select earlier.undoes_id, earlier.kind from imports as earlier join chain on earlier.id = chain.undoes_id
  ) select kind from chain where undoes_id is null)`

/** The last import of the chain: the only one of it that can be undone. */
const LAST_UNDO = sql`(with recursive chain as (
    select later.id from imports as later where later.undoes_id = imports.id and later.state = 'done'
    union all select later.id from imports as later join chain on later.undoes_id = chain.id
    where later.state = 'done'
  ) select max(id) from chain)`

/** The undo in the background that the import waits for: of itself, or of those that undid and did it again. */
const UNDOING = sql`(with recursive chain as (
    select imports.id, imports.state, 0 as place
    union all select later.id, later.state, place + 1 from imports as later join chain on later.undoes_id = chain.id
    where later.state in ('queued', 'running', 'done')
  ) select id, place from chain where place > 0 and state in ('queued', 'running'))`
