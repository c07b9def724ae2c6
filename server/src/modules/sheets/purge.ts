import { sql } from 'kysely'
import { audit, auditParts, SYSTEM } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import { longTransaction } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { configuredSheets, lockConfig } from './configured.ts'

const MAX_MS = 60 * 60 * 1000

type Settings = Pick<Env, 'PUBLIC_URL' | 'SHEETS_KEEP_DAYS'>

/** Moves sheets to the bin that have not changed for so long, unless the website config names them. */
export async function purgeSheets(db: SystemDb, { PUBLIC_URL, SHEETS_KEEP_DAYS: days }: Settings) {
  if (days === 0) return
  await longTransaction(db, MAX_MS, async (trx) => {
    const kept = [...configuredSheets(await lockConfig(trx), PUBLIC_URL).keys()]
    const isOld = sql<boolean>`deleted_at is null and updated_at < now() - make_interval(days => ${days})
      and id <> all(${kept}::int[])`
    const deletion = { ...editedBy(SYSTEM), deleted_at: sql<Date>`now()` }
    const deleted = await trx.updateTable('sheets').set(deletion).where(isOld).returning('id').execute()
    if (deleted.length === 0) return
    const changes = { sheets: { before: deleted.length, after: 0 }, days: { before: null, after: days } }
    const event = { action: 'delete', entity: 'sheet' } as const
    const parent_id = await audit(trx, SYSTEM, { ...event, entity_id: null, changes })
    const parts = sql`select id as entity_id, title as record_name, null as record_detail, null::int as workspace_id,
      version, '{}'::jsonb as changes from sheets where id = any(${deleted.map(({ id }) => id)}::int[]) order by id`
    await auditParts(trx, SYSTEM, { ...event, parent_id }, parts)
  })
}

/** A set that is younger than a day is kept, because a sheet or import may be about to refer to it. */
export async function purgeRowSets(db: SystemDb) {
  const { rows: sets } = await sql<{ id: number }>`select id from row_sets where created_at <= now() - interval '1 day'
    and not exists (select from sheets where sheets.rows_id = row_sets.id)
    and not exists (select from operations where operations.rows_id = row_sets.id)
    and not exists (select from operation_changes where entity = 'sheet' and (before ->> 'rows_id')::int = row_sets.id)
    order by id`.execute(db)
  for (const { id } of sets) {
    await longTransaction(db, MAX_MS, async (trx) => {
      await trx.deleteFrom('set_rows').where('set_id', '=', id).execute()
      await trx.deleteFrom('row_sets').where('id', '=', id).execute()
    })
  }
}
