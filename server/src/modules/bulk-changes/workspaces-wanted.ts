import type { ListChange, QuotaChange, WorkspacesChange } from '@watchdesk/contract/bulk-changes'
import { type RawBuilder, sql } from 'kysely'
import { TODAY } from '../../db/days.ts'

type Sql = RawBuilder<unknown>
type Fields = NonNullable<WorkspacesChange['set']>

/** How the API writes days, for `to_char`. */
export const DAY_FORMAT = sql.lit('YYYY-MM-DD"T00:00:00"')

/** The new values of the fields that are set, as a JSON object; `now.fields` has the present ones. */
export function wantedFields({ extend_trial_days, ...set }: Fields) {
  const { status, trial_end_date, analytical_quota, ai_quota, roles, featureflags, powerbi_dashboards } = set
  const values: Record<string, Sql | undefined | false> = {
    status: status !== undefined && sql`${status}::text`,
    trial_end_date:
      trial_end_date === undefined
        ? extend_trial_days !== undefined && extended(extend_trial_days)
        : sql`${trial_end_date}::text`,
    analytical_quota: analytical_quota && quota(sql`(now.fields -> 'analytical_quota')`, analytical_quota),
    ai_quota: ai_quota && quota(sql`(now.fields -> 'ai_quota')`, ai_quota),
    roles: roles && list(sql`(now.fields -> 'roles')`, roles),
    featureflags: featureflags && list(sql`(now.fields -> 'featureflags')`, featureflags),
    powerbi_dashboards: powerbi_dashboards && list(sql`(now.fields -> 'powerbi_dashboards')`, powerbi_dashboards),
  }
  const given = Object.entries(values).flatMap(([field, value]) => (value ? [sql`${sql.lit(field)}, ${value}`] : []))
  return sql`jsonb_build_object(${sql.join(given)})`
}

/** From the last day of the trial, or from today if it has passed. */
function extended(days: number) {
  return sql`to_char(greatest(workspaces.trial_end_date, ${TODAY}) + ${days}::int, ${DAY_FORMAT})`
}

function quota(current: Sql, { limit, balance, top_up, fill }: QuotaChange) {
  const newLimit = limit === undefined ? sql`(${current} -> 'limit')` : sql`to_jsonb(${limit}::bigint)`
  const newBalance =
    balance !== undefined
      ? sql`to_jsonb(${balance}::bigint)`
      : top_up !== undefined
        ? sql`to_jsonb((${current} ->> 'balance')::bigint + ${top_up}::bigint)`
        : fill
          ? newLimit
          : sql`(${current} -> 'balance')`
  return sql`${current} || jsonb_build_object('limit', ${newLimit}, 'balance', ${newBalance})`
}

/** What stays keeps its order, and what is new comes last. */
function list(current: Sql, { add = [], remove = [] }: ListChange<string | number>) {
  return sql`(select coalesce(jsonb_agg(entry order by is_new, place), '[]') from (
      select false as is_new, entry, place from jsonb_array_elements(${current}) with ordinality as held (entry, place)
      where not ${JSON.stringify(remove)}::jsonb @> entry
      union all
      select true, entry, place from jsonb_array_elements(${JSON.stringify(add)}::jsonb) with ordinality as added (entry, place)
      where not ${current} @> entry
    ) as entries)`
}
