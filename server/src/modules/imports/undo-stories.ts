import type { UndoPreview } from '@watchdesk/contract/imports'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { DIGEST } from '../../db/checksum.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { type Chain, type Effects, type ImportRow, NO_EFFECTS, type UndoKind } from './undo-kind.ts'

/**
 * What an import did to each story: whether it was live before. An import has added the stories with its id and removed
 * those that name it; an undo keeps a list.
 */
function changesOf({ id, kind }: Pick<ImportRow, 'id' | 'kind'>) {
  if (kind === 'undo') return sql`select story_id as id, was_live from story_changes where import_id = ${id}`
  return sql`select id, false as was_live from stories where import_id = ${id}
    union all select id, true from stories where deleted_by = ${id} and deleted_at is not null`
}

export const storiesUndo: UndoKind = { entity: 'stories', changes: ({ target }) => changesOf(target), preview, undo }

async function preview(db: Db, _actor: Actor, { target, first }: Chain): Promise<UndoPreview> {
  // A story can return if the import still has it removed, and no other one has its text by then.
  const [counted] = await rowsOf(
    db,
    sql<{ removed: number; restored: number; left: number; kept: number; narratives: number }>`
      with changes as materialized (${changesOf(target)}), judged as (
        select narrative_id, was_live, case when not was_live then deleted_at is null
          else deleted_at is not null and deleted_by = ${target.id} and not exists (
            select from stories as other where other.narrative_id = stories.narrative_id and other.digest = ${DIGEST}
              and not ${isRemoved(target, 'other')}) end as can_undo
        from changes join stories on stories.id = changes.id
      )
      select count(*) filter (where can_undo and not was_live) as removed,
        count(*) filter (where can_undo and was_live) as restored,
        count(*) filter (where not can_undo) as left, count(*) filter (where was_live) as kept,
        (select count(*) from narratives where ${isEmptied(first)} and not exists (
          select from stories where narrative_id = narratives.id and stories.deleted_at is null
            and not ${isRemoved(target, 'stories')}) and not exists (
          select from judged where narrative_id = narratives.id and was_live and can_undo)) as narratives
      from judged`,
  )
  const { removed = 0, restored = 0, left = 0, kept = 0, narratives = 0 } = counted ?? {}
  // Deleted stories are kept for a while only.
  const gone = Math.max(0, (await countDeleted(db, target)) - kept)
  const effects = {
    ...NO_EFFECTS,
    stories_removed: removed,
    stories_restored: restored,
    narratives_removed: narratives,
  }
  return { effects, changed_count: 0, changed: [], gone_count: left + gone, problem: null }
}

/** How many stories it has deleted, including those that are no longer kept. Earlier releases did not record it. */
async function countDeleted(db: Db, { id, kind, details }: ImportRow): Promise<number> {
  if (kind !== 'undo') return Number(details.deleted_count ?? 0)
  const counting = sql<{
    count: number
  }>`select count(*) as count from story_changes where import_id = ${id} and was_live`
  const [counted] = await rowsOf(db, counting)
  return counted?.count ?? 0
}

/** Whether the undo removes the story. By an index, because there may be a million of both. */
function isRemoved({ id, kind }: ImportRow, table: 'stories' | 'other') {
  const story = (column: string) => sql.ref(`${table}.${column}`)
  if (kind !== 'undo') return sql`(${story('import_id')} is not distinct from ${id})`
  return sql`exists (select from story_changes where story_changes.import_id = ${id} and story_id = ${story('id')}
    and not story_changes.was_live)`
}

/** A narrative that the import had created, and that nobody has vectorized. */
function isEmptied(first: ImportRow) {
  return sql`narratives.import_id = ${first.id} and narratives.deleted_at is null
    and not exists (select from vectorization_runs where narrative_id = narratives.id)`
}

async function undo(trx: Trx, _actor: Actor, { target, first }: Chain, import_id: number): Promise<Effects> {
  await lockNarratives(trx, target)
  await sql`create temp table undoing on commit drop as ${changesOf(target)}`.execute(trx)
  // With an index, as in the undo of sources.
  await sql`create index on undoing (id)`.execute(trx)
  await sql`analyze undoing`.execute(trx)
  // Before others are restored, because the same text may be among both.
  const stories_removed = await count(
    trx,
    sql`with removed as (
        update stories set deleted_at = now(), deleted_by = ${import_id}, digest = gen_random_uuid()
        from undoing where undoing.id = stories.id and not was_live and deleted_at is null returning stories.id
      ) insert into story_changes select ${import_id}::int, id, true from removed`,
  )
  const stories_restored = await count(
    trx,
    sql`with restored as (
        update stories set deleted_at = null, deleted_by = null, digest = ${DIGEST}
        from undoing where undoing.id = stories.id and was_live and deleted_at is not null and deleted_by = ${target.id}
          and not exists (select from stories as other
            where other.narrative_id = stories.narrative_id and other.digest = ${DIGEST})
        returning stories.id
      ) insert into story_changes select ${import_id}::int, id, false from restored`,
  )
  const narratives_removed = await count(
    trx,
    sql`update narratives set deleted_at = now() where ${isEmptied(first)} and not exists (
      select from stories where narrative_id = narratives.id and stories.deleted_at is null)`,
  )
  await sql`update narratives set deleted_at = null where deleted_at is not null and id in (
    select narrative_id from stories join undoing on undoing.id = stories.id
    where stories.deleted_at is null)`.execute(trx)
  const { rows } = await sql<{ all: number }>`select count(*) as all from undoing`.execute(trx)
  const left = (rows[0]?.all ?? 0) - stories_removed - stories_restored
  return { ...NO_EFFECTS, stories_removed, stories_restored, narratives_removed, left }
}

/** In the order of their ids, like an import. */
async function lockNarratives(trx: Trx, target: ImportRow) {
  await sql`select id from narratives where id in (
      select (select narrative_id from stories where stories.id = changes.id) from (${changesOf(target)}) as changes)
    order by id for no key update`.execute(trx)
}

async function count(trx: Trx, statement: ReturnType<typeof sql>) {
  const { numAffectedRows } = await statement.execute(trx)
  return Number(numAffectedRows ?? 0)
}
