import { OVERVIEW_DAYS } from '@watchdesk/contract/overview'
import { sql } from 'kysely'
import { dayOf, TODAY } from '../../db/days.ts'
import { totalOf } from '../../db/list-totals.ts'

type Quota = 'analytical' | 'ai'

/** The totals of this moment, without reading users, sources or stories. */
export const CURRENT_TOTALS = sql`select
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
export const TOTAL_NAMES = [
  'users',
  'sources',
  'stories',
  'analytical_used',
  'analytical_limit',
  'ai_used',
  'ai_limit',
] as const
export const TOTALS = sql.join(TOTAL_NAMES.map((name) => sql.ref(name)))

/** The totals of the last days, oldest first. Those of today are current. */
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
