import {
  type Attention,
  type AttentionName,
  type FilteredList,
  listOf,
  OVERVIEW_ROWS,
  type Overview,
  WORKSPACE_ATTENTION,
} from '@watchdesk/contract/overview'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import * as runs from '../narratives-vectorization/filter.ts'
import * as imports from '../operations/store.ts'
import * as users from '../users/filter.ts'
import * as workspaces from '../workspaces/filter.ts'

type Sql = RawBuilder<unknown>
type Row = { attention: Attention; first: Overview['first'] }

const OF_WORKSPACES = Object.keys(WORKSPACE_ATTENTION) as (keyof typeof WORKSPACE_ATTENTION)[]

/** With the conditions of the lists that the numbers lead to. Workspaces are read once, and the others by index. */
export function attentionQuery(actor: Actor, today: string) {
  const isOne = (name: AttentionName) => sql`(${sql.join(conditionsOf(actor, listOf(name, today)), sql` and `)})`
  const flags = OF_WORKSPACES.map((name) => sql`coalesce(${isOne(name)}, false) as ${sql.ref(name)}`)
  const counts = OF_WORKSPACES.map((name) => [name, sql`count(*) filter (where ${sql.ref(name)})`])
  const failedImports = sql`operations where ${isOne('imports_failed')}`
  const failedRuns = sql`vectorization_runs where ${isOne('runs_failed')}`
  const lockedUsers = sql`users where users.deleted_at is null and ${isOne('users_locked')}`
  const attention = {
    ...Object.fromEntries(counts),
    imports_failed: sql`(select count(*) from ${failedImports})`,
    runs_failed: sql`(select count(*) from ${failedRuns})`,
    users_locked: sql`(select count(*) from ${lockedUsers})`,
  }
  const [trialEnd, analytical, ai] = [sql`trial_end_date`, leftOf('analytical_quota'), leftOf('ai_quota')]
  const renewal = sql`least(${renewalOf('analytical_quota')}, ${renewalOf('ai_quota')})`
  const newest = sql`created_at desc, id desc`
  const first: Record<keyof Overview['first'], Sql> = {
    trials: firstOf(sql`flagged where trials_ended or trials_within_30`, { day: trialEnd, order: trialEnd }),
    analytical: firstOf(sql`flagged where analytical_low`, { left: analytical, order: analytical }),
    ai: firstOf(sql`flagged where ai_low`, { left: ai, order: ai }),
    renewals: firstOf(sql`flagged where renewals_overdue`, { day: renewal, order: renewal }),
    without_admin: firstOf(sql`flagged where without_admin`, {}),
    imports: firstOf(failedImports, { name: sql`coalesce(name, kind)`, detail: sql`error`, order: newest }),
    runs: firstOf(failedRuns, { name: sql`'Narrative ' || narrative_id`, detail: sql`error`, order: newest }),
    users: firstOf(lockedUsers, { name: sql`full_name`, detail: sql`email` }),
  }
  return sql<Row>`with flagged as materialized (
      select id, name, trial_end_date, analytical_quota, ai_quota, ${sql.join(flags)}
      from workspaces where deleted_at is null
    )
    select (select ${jsonObject(attention)} from flagged) as attention, ${jsonObject(first)} as first`
}

function jsonObject(values: Record<string, Sql>) {
  const pairs = Object.entries(values).map(([name, value]) => sql`${sql.lit(name)}, ${value}`)
  return sql`json_build_object(${sql.join(pairs)})`
}

function conditionsOf(actor: Actor, { list, filter }: FilteredList) {
  if (list === 'users') return users.conditionsOf(actor, filter)
  if (list === 'imports') return imports.conditionsOf(filter)
  if (list === 'runs') return runs.conditionsOf(filter)
  return workspaces.conditionsOf(actor, filter)
}

type Shown = { name?: Sql; day?: Sql; left?: Sql; detail?: Sql; order?: Sql }

function firstOf(
  rows: Sql,
  { name = sql`name`, day = sql`null::date`, left = sql`null`, detail = sql`null`, order = sql`id` }: Shown,
) {
  return sql`(select coalesce(json_agg(first_rows), '[]') from (
    select id, ${name} as name, to_char(${day}, 'YYYY-MM-DD') as day, ${left} as "left", ${detail} as detail
    from ${rows} order by ${order}, id limit ${sql.lit(OVERVIEW_ROWS)}) as first_rows)`
}

type Quota = 'analytical_quota' | 'ai_quota'

function leftOf(quota: Quota) {
  const part = (name: string) => sql`(${sql.ref(quota)}->>${sql.lit(name)})::numeric`
  return sql`round(100 * ${part('balance')} / nullif(${part('limit')}, 0), 1)`
}

function renewalOf(quota: Quota) {
  return sql`left(${sql.ref(quota)}->>'renewal_date', 10)::date`
}
