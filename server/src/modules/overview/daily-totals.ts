import { OVERVIEW_DAYS } from '@watchdesk/contract/overview'
import { sql } from 'kysely'
import { dayOf, TODAY } from '../../db/days.ts'
import { totalOf } from '../../db/list-totals.ts'
import { longTransaction } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'

const COMPUTING_MS = 10 * 60 * 1000
const TABLES = ['users', 'sources', 'stories'] as const

type Quota = 'analytical' | 'ai'

/** The totals of this moment, without reading users, sources or stories. */
const CURRENT_TOTALS = sql`select
    (${totalOf('users')}) as users, (${totalOf('sources')}) as sources, (${totalOf('stories')}) as stories,
    ${sumOf('analytical')}, ${sumOf('ai')}
  from workspaces where deleted_at is null and status is distinct from 'DEACTIVATED'`

/** A balance above the limit counts as nothing used. */
function sumOf(quota: Quota) {
  const part = (name: string) => sql`coalesce((${sql.ref(`${quota}_quota`)}->>${sql.lit(name)})::bigint, 0)`
  return sql`coalesce(sum(greatest(${part('limit')} - ${part('balance')}, 0)), 0)::bigint as ${sql.ref(`${quota}_used`)},
    coalesce(sum(${part('limit')}), 0)::bigint as ${sql.ref(`${quota}_limit`)}`
}

function quotaOf(quota: Quota) {
  return sql`case when ${sql.ref(`${quota}_limit`)} is not null then json_build_object(
    'used', ${sql.ref(`${quota}_used`)}, 'limit', ${sql.ref(`${quota}_limit`)}) end as ${sql.ref(`${quota}_quota`)}`
}

/** The columns of `CURRENT_TOTALS`, in their order. */
const TOTAL_NAMES = [...TABLES, 'analytical_used', 'analytical_limit', 'ai_used', 'ai_limit'] as const
const TOTALS = sql.join(TOTAL_NAMES.map((name) => sql.ref(name)))

export const DAILY_TOTALS = sql`with today as (select ${TODAY} as day), totals as (
    select day, ${TOTALS}, counted_at from daily_totals
      where day > (select day from today) - ${sql.lit(OVERVIEW_DAYS)} and day < (select day from today)
    union all select day, ${TOTALS}, now() from today, (${CURRENT_TOTALS}) as current_totals
  ), imported as (
    select ${dayOf(sql`operations.created_at`)} as day, count(*) as count from operations
    where operations.created_at >= ((select day from today) - ${sql.lit(OVERVIEW_DAYS - 1)})::timestamp at time zone 'UTC' group by 1
  )
  select to_char(totals.day, 'YYYY-MM-DD') as day, users, sources, stories, coalesce(imported.count, 0) as imports,
    ${quotaOf('analytical')}, ${quotaOf('ai')}, counted_at is null as is_computed
  from totals left join imported using (day) order by totals.day`

/** Counts today, and computes the days on which no server ran. Safe to run on every replica at the same time. */
export async function recordTotals(db: SystemDb, now = sql<Date>`now()`) {
  const newer = [...TOTAL_NAMES, 'counted_at'].map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  await sql`insert into daily_totals (day, ${TOTALS}, counted_at) select ${dayOf(now)}, ${TOTALS}, ${now}
    from (${CURRENT_TOTALS}) as current_totals on conflict (day) do update set ${sql.join(newer)}
    where daily_totals.counted_at is null or daily_totals.counted_at < excluded.counted_at`.execute(db)
  const { rows } = await sql<{ day: string }>`select to_char(day, 'YYYY-MM-DD') as day
    from generate_series(${dayOf(now)} - ${OVERVIEW_DAYS - 1}::int, ${dayOf(now)} - 1, interval '1 day') as day
    where not exists (select from daily_totals where daily_totals.day = day.day::date)`.execute(db)
  const days = rows.map(({ day }) => day)
  if (days.length > 0) await computeTotals(db, days)
}

/** From the remaining records. Those removed for good since are missing, and so is the use of quotas, which is not known. */
async function computeTotals(db: SystemDb, days: string[]) {
  await longTransaction(db, COMPUTING_MS, async (trx) => {
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
