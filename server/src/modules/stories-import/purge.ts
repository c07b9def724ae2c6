import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import { inParts } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'

const STORIES_AT_ONCE = 10_000
const MAX_MS = 10 * 60 * 1000

/** Removes stories that were deleted more than 30 days ago, with their vectors, and narratives that have none left. */
export async function purgeStories(db: SystemDb) {
  const expired = sql`deleted_at < now() - make_interval(days => ${DAYS_IN_BIN})`
  await inParts(db, MAX_MS, STORIES_AT_ONCE, async (trx) => {
    const { numAffectedRows } = await sql`delete from stories where id in (
      select id from stories where ${expired} limit ${STORIES_AT_ONCE} for update skip locked)`.execute(trx)
    return Number(numAffectedRows)
  })
  await sql`delete from narratives where ${expired} and not exists (select from stories where narrative_id = narratives.id)
    and not exists (select from vectorization_runs where narrative_id = narratives.id)`.execute(db)
}
