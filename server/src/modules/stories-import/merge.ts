import type { StoriesImportResult } from '@watchdesk/contract/stories-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import { countStaged, markRepeated } from '../source-import/stage.ts'

export type Summary = StoriesImportResult['summaries'][number]

/** Adds the stories, and first removes the existing ones if asked to. */
export async function merge(trx: Trx, actor: Actor, import_id: number, deleteExisting: boolean): Promise<Summary[]> {
  const { rows: counted } = await sql<{ narrative_id: number; count: number }>`
    select narrative_id, count(*) as count from incoming group by narrative_id order by narrative_id`.execute(trx)
  const ids = counted.map(({ narrative_id }) => narrative_id)
  // In id order, so that concurrent imports of the same narratives do not deadlock.
  await sql`insert into narratives (id, created_by, import_id)
    select id, ${actor.id}, ${import_id} from unnest(${ids}::integer[]) as id
    order by id on conflict (id) do update set deleted_at = null where narratives.deleted_at is not null`.execute(trx)
  await sql`select id from narratives where id = any(${ids}) order by id for no key update`.execute(trx)

  const removal = sql`update stories set deleted_at = now(), deleted_by = ${import_id}, digest = gen_random_uuid()
    where narrative_id = any(${ids}) and deleted_at is null`
  const deleted = deleteExisting ? await countBy(trx, removal) : null
  const imported = await countBy(
    trx,
    sql`insert into stories
        (narrative_id, message_composite_id, story, sentiment_score, platform, content_type, digest, import_id)
      select narrative_id, message_composite_id, story, sentiment_score, platform, content_type, digest, ${import_id}::int
      from incoming order by number on conflict (narrative_id, digest) do nothing`,
  )
  return counted.map(({ narrative_id, count }) => {
    const imported_stories_count = imported.get(narrative_id) ?? 0
    return {
      narrative_id,
      imported_stories_count,
      repeated_stories_count: count - imported_stories_count,
      deleted_stories_count: deleted?.get(narrative_id) ?? 0,
    }
  })
}

/** Marks the rows that were not imported, and returns the number of rows by outcome. */
export async function judgeRows(trx: Trx, import_id: number, summaries: Summary[]) {
  if (summaries.some(({ repeated_stories_count }) => repeated_stories_count > 0)) {
    await sql`update incoming set outcome = 'already there' from stories
      where stories.narrative_id = incoming.narrative_id and stories.digest = incoming.digest
        and stories.import_id is distinct from ${import_id}`.execute(trx)
    await markRepeated(trx, sql`narrative_id, digest`, sql.ref('number'))
  }
  return countStaged(trx, sql.ref('number'))
}

/** The number of rows that a statement changed, by narrative. */
async function countBy(trx: Trx, statement: ReturnType<typeof sql>) {
  const { rows } = await sql<{ narrative_id: number; count: number }>`
    with changed as (${statement} returning narrative_id)
    select narrative_id, count(*) as count from changed group by narrative_id`.execute(trx)
  return new Map(rows.map(({ narrative_id, count }) => [narrative_id, count]))
}
