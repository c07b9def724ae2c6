import { sql } from 'kysely'
import type { ListedTable } from './lists.ts'
import type { SystemDb } from './open.ts'

/** The exact total of a table in the snapshot of the statement: the saved one, and what triggers have recorded since. */
export function totalOf(table: ListedTable | 'stories') {
  const list = sql.lit(table)
  return sql<{ list_total: number }>`select live + (
      select coalesce(sum(live_change), 0) from list_changes where list = ${list}
    ) as list_total from list_totals where list = ${list}`
}

/**
 * Adds the recorded changes to the totals, so that few are left to sum up. Each change is deleted and added by one
 * statement, so it always counts once, also if every replica does this at the same time.
 */
export async function compactLists(db: SystemDb) {
  await sql`with counted as (delete from list_changes returning list, live_change)
    update list_totals set live = live + change
    from (select list, sum(live_change) as change from counted group by list) as sums
    where sums.list = list_totals.list`.execute(db)
}
