import { sql } from 'kysely'
import { audit, auditParts, SYSTEM } from '../../db/audit.ts'
import { retriedTransaction, retryOnDeadlock } from '../../db/deadlock.ts'
import type { SystemDb } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { configuredSheets, lockConfig } from './configured.ts'

/** Large enough to be fast, small enough for the statement timeout. */
const SHEETS_AT_ONCE = 1_000
const ROWS_AT_ONCE = 10_000

type Settings = Pick<Env, 'PUBLIC_URL' | 'SHEETS_KEEP_DAYS'>

/**
 * Moves sheets to the bin that have not changed for the days that they are kept, unless the website config names them,
 * and records it as one event with a part for each of them.
 */
export async function purgeSheets(db: SystemDb, { PUBLIC_URL, SHEETS_KEEP_DAYS: days }: Settings) {
  if (days === 0) return
  const run = () =>
    retriedTransaction(db, async (trx) => {
      const kept = [...configuredSheets(await lockConfig(trx), PUBLIC_URL).keys()]
      const { rows } = await sql<{ id: number }>`select id from sheets
        where deleted_at is null and updated_at < now() - make_interval(days => ${days}) and id <> all(${kept}::int[])
        order by id limit ${SHEETS_AT_ONCE} for update`.execute(trx)
      if (rows.length === 0) return 0
      const chosen = sql<boolean>`id = any(${rows.map(({ id }) => id)}::int[])`
      const now = sql<Date>`now()`
      const deletion = { deleted_at: now, updated_at: now, updated_by: null, version: sql<number>`version + 1` }
      await trx.updateTable('sheets').set(deletion).where(chosen).execute()
      const changes = { sheets: { before: rows.length, after: 0 }, days: { before: null, after: days } }
      const event = { action: 'delete', entity: 'sheet' } as const
      const parent_id = await audit(trx, SYSTEM, { ...event, entity_id: null, changes })
      const parts = sql`select id as entity_id, title as record_name, null as record_detail, null::int as workspace_id,
        version, '{}'::jsonb as changes from sheets where ${chosen} order by id`
      await auditParts(trx, SYSTEM, { ...event, parent_id }, parts)
      return rows.length
    })
  while ((await run()) === SHEETS_AT_ONCE);
}

/**
 * Removes sets of rows that neither a sheet nor an import refers to. Sets that are younger than a day are kept, because a
 * sheet or import may be about to refer to them; an older one can never be referred to again.
 */
export async function purgeRowSets(db: SystemDb) {
  const { rows: sets } = await sql<{ id: number }>`select id from row_sets where created_at <= now() - interval '1 day'
    and not exists (select from sheets where sheets.rows_id = row_sets.id)
    and not exists (select from operations where operations.rows_id = row_sets.id)
    and not exists (select from operation_changes where entity = 'sheet' and (before ->> 'rows_id')::int = row_sets.id)
    order by id`.execute(db)
  for (const { id } of sets) {
    await retryOnDeadlock(() => removeRows(db, id))
    await db.deleteFrom('row_sets').where('id', '=', id).execute()
  }
}

async function removeRows(db: SystemDb, id: number) {
  for (;;) {
    const first = sql<number>`(select number from set_rows where set_id = ${id} order by number limit ${ROWS_AT_ONCE})`
    const { numDeletedRows } = await db
      .deleteFrom('set_rows')
      .where('set_id', '=', id)
      .where('number', 'in', first)
      .executeTakeFirstOrThrow()
    if (numDeletedRows < ROWS_AT_ONCE) return
  }
}
