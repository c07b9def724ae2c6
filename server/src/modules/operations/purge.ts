import { sql } from 'kysely'
import { inParts } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'

/** Each may have changed a million sources. */
const OPERATIONS_AT_ONCE = 5
const MAX_MS = 10 * 60 * 1000

/** Removes what old operations replaced and read, so that they can no longer be undone. They stay in the list. */
export async function purgeOperations(db: SystemDb, days: number) {
  if (days === 0) return
  await inParts(db, MAX_MS, OPERATIONS_AT_ONCE, async (trx) => {
    const { rows } = await sql<{ id: number }>`update operations set rows_id = null, is_purged = true where id in (
          select id from operations where (not is_purged or rows_id is not null) and state not in ('queued', 'running')
            and coalesce(finished_at, created_at) < now() - make_interval(days => ${days})
          order by id limit ${OPERATIONS_AT_ONCE} for update skip locked)
      returning id`.execute(trx)
    const ids = rows.map(({ id }) => id)
    await sql`delete from operation_changes where operation_id = any(${ids}::int[])`.execute(trx)
    return ids.length
  })
}
