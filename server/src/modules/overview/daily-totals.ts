import { OVERVIEW_DAYS } from '@watchdesk/contract/overview'
import { sql } from 'kysely'
import { dayOf } from '../../db/days.ts'
import { allowTime } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'
import { CURRENT_TOTALS, TOTAL_NAMES, TOTALS } from './totals.ts'

const COMPUTING_MS = 10 * 60 * 1000
const TABLES = ['users', 'sources', 'stories'] as const

/** Counts today, and computes the days on which no server ran. Safe to run on every replica at the same time. */
export async function recordTotals(db: SystemDb, now = sql<Date>`now()`) {
  const newer = [...TOTAL_NAMES, 'counted_at'].map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  await sql`insert into daily_totals (day, ${TOTALS}, counted_at) select ${dayOf(now)}, ${TOTALS}, ${now}
    from (${CURRENT_TOTALS}) as current_totals on conflict (day) do update set ${sql.join(newer)}
    where daily_totals.counted_at is null or daily_totals.counted_at < excluded.counted_at`.execute(db)
  const { rows } = await sql<{ day: string }>`select to_char(day, 'YYYY-MM-DD') as day
    from generate_series(${dayOf(now)} - ${OVERVIEW_DAYS - 1}::int, ${dayOf(now)} - 1, interval '1 day') as day
    where not exists (select from daily_totals where daily_totals.day = day.day::date)`.execute(db)
  if (rows.length > 0)
    await computeTotals(
      db,
      rows.map(({ day }) => day),
    )
}

/**
 * From the times at which the remaining records were created and deleted. Records that were removed for good since are
 * missing, and so is the use of quotas, which is not known for the past.
 */
async function computeTotals(db: SystemDb, days: string[]) {
  await db.transaction().execute(async (trx) => {
    await allowTime(trx, COMPUTING_MS)
    const changes = TABLES.map(
      (table) => sql`${sql.ref(`${table}_changes`)} as materialized (
        select ${dayOf(sql`created_at`)} as day, count(*) as change from ${sql.table(table)} group by 1
        union all select ${dayOf(sql`deleted_at`)}, - count(*) from ${sql.table(table)} where deleted_at is not null group by 1)`,
    )
    const totals = TABLES.map((table) => {
      const changed = sql.ref(`${table}_changes`)
      return sql`(select coalesce(sum(change), 0) from ${changed} where ${changed}.day <= days.day)`
    })
    await sql`with ${sql.join(changes)} insert into daily_totals (day, users, sources, stories)
      select days.day, ${sql.join(totals)} from unnest(${days}::date[]) as days (day) on conflict (day) do nothing`.execute(
      trx,
    )
  })
}
