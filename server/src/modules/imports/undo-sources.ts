import type { Undo, UndoPreview } from '@watchdesk/contract/imports'
import { CHANGED_ROWS_LISTED } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { CONTENT, isChangedBy } from './source-changes.ts'
import { type Chain, type Effects, type ImportRow, NO_EFFECTS, type UndoKind } from './undo-kind.ts'

/**
 * What an import did to each source: its content before, null if the import added it, and the version of its content
 * after. If the source has another content version now, it changed since.
 */
function changesOf(import_id: number) {
  return sql`select source_id as id, before, content_version from source_changes where import_id = ${import_id}
    union all select id, null, 1 from sources where import_id = ${import_id}
      and not ${isChangedBy(import_id, sql`sources.id`)}`
}

/** What putting the content back does to a source. */
const EFFECT = sql`case
  when (before is null or before ->> 'deleted_at' is not null) and sources.deleted_at is null then 'sources_removed'
  when before ->> 'deleted_at' is null and before is not null and sources.deleted_at is not null then 'sources_restored'
  when before is null then 'nothing'
  else 'sources_put_back' end`

const UNCHANGED = sql`sources.content_version = changes.content_version`

export const sourcesUndo: UndoKind = { entity: 'sources', changes: ({ target }) => changesOf(target.id), preview, undo }

async function preview(db: Db, _actor: Actor, { target }: Chain): Promise<UndoPreview> {
  const counted = await rowsOf(
    db,
    sql<{ effect: string; count: number }>`select effect, count(*) as count from (
        select case when sources.id is null then 'gone' when ${UNCHANGED} then ${EFFECT} else 'changed' end as effect
        from (${changesOf(target.id)}) as changes left join sources on sources.id = changes.id
      ) as effects group by effect`,
  )
  const {
    gone = 0,
    changed: changed_count = 0,
    nothing: _,
    ...effects
  } = Object.fromEntries(counted.map(({ effect, count }) => [effect, count]))
  const changed = changed_count === 0 ? [] : await listChanged(db, target)
  return { effects: { ...NO_EFFECTS, ...effects }, changed_count, changed, gone_count: gone, problem: null }
}

function listChanged(db: Db, target: ImportRow) {
  return rowsOf(
    db,
    sql<UndoPreview['changed'][number]>`select sources.id, sources.url as name,
        case when sources.deleted_at is not null then 'removed'
          when before is null or before ->> 'deleted_at' is not null or sources.country is distinct from before ->> 'country' then 'edited'
          else 'restored' end as what,
        sources.country as current, before ->> 'country' as earlier, '{}'::jsonb as changes, null as problem,
        ${EFFECT} as effect,
        ${isoTime(sql`sources.updated_at`)} as at,
        (select json_build_object('id', users.id, 'name', full_name) from users where users.id = sources.updated_by) as by
      from (${changesOf(target.id)}) as changes join sources on sources.id = changes.id
      where not (${UNCHANGED}) order by sources.id limit ${CHANGED_ROWS_LISTED}`,
  )
}

/** Locks the sources in the order of their ids, like every change of many of them. */
async function undo(
  trx: Trx,
  actor: Actor,
  { target }: Chain,
  import_id: number,
  changed: Undo['changed'],
): Promise<Effects> {
  const chosen =
    changed === 'all'
      ? sql`true`
      : changed === 'leave'
        ? UNCHANGED
        : sql`(${UNCHANGED} or sources.id = any(${changed}::bigint[]))`
  const counted = await sql<{ all: number }>`select count(*) as all from (${changesOf(target.id)}) as changes`.execute(
    trx,
  )
  // Looked up one by one, here and with the index below: if the table was analyzed before an import was saved, PostgreSQL
  // takes it for empty, and would compare each row with each.
  await sql`create temp table undoing on commit drop as
    select sources.id, changes.before, ${EFFECT} as effect
    from (select * from (${changesOf(target.id)}) as all_changes order by id offset 0) as changes
      cross join lateral (select * from sources where sources.id = changes.id offset 0 for no key update) as sources
    where ${chosen}`.execute(trx)
  await sql`create index on undoing (id)`.execute(trx)
  await sql`analyze undoing`.execute(trx)
  await sql`delete from undoing where effect = 'nothing'`.execute(trx)
  // A source that the import had added gets a new content version: nothing had it before. What is removed again stays in
  // the bin from now on: with the former time, it could be deleted for good at once.
  await sql`with kept as (
      insert into source_changes (import_id, source_id, before, content_version)
      select ${import_id}::int, sources.id, ${CONTENT}, coalesce((undoing.before ->> 'content_version')::int, sources.version + 1)
      from sources join undoing on undoing.id = sources.id
    )
    update sources set version = sources.version + 1,
      content_version = coalesce((before ->> 'content_version')::int, sources.version + 1),
      deleted_at = case when before is null or before ->> 'deleted_at' is not null then now() end,
      country = case when before is null then country else before ->> 'country' end,
      import_id = case when before is null then import_id else (before ->> 'import_id')::int end,
      created_at = case when before is null then created_at else (before ->> 'created_at')::timestamptz end,
      created_by = case when before is null then created_by else (before ->> 'created_by')::int end,
      updated_at = now(), updated_by = ${actor.id}
    from undoing where undoing.id = sources.id`.execute(trx)
  const { rows } = await sql<{ effect: string; count: number }>`select effect, count(*) as count from undoing
    group by effect`.execute(trx)
  const effects = Object.fromEntries(rows.map(({ effect, count }) => [effect, count]))
  const undone = rows.reduce((sum, { count }) => sum + count, 0)
  return { ...NO_EFFECTS, ...effects, left: (counted.rows[0]?.all ?? 0) - undone }
}
