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

/**
 * What needs attention: numbers, with the conditions of the lists that they lead to, and the first records. Workspaces are
 * read once, and users, imports and runs by index.
 */
export function attentionQuery(actor: Actor, today: string) {
  const flags = OF_WORKSPACES.map(
    (name) => sql`coalesce(${whereOf(actor, listOf(name, today))}, false) as ${sql.ref(name)}`,
  )
  const [failedImports, failedRuns, lockedUsers] = (['imports_failed', 'runs_failed', 'users_locked'] as const).map(
    (name) => whereOf(actor, listOf(name, today)),
  )
  const counts = OF_WORKSPACES.map((name) => pair(name, sql`count(*) filter (where ${sql.ref(name)})`))
  return sql<Row>`with flagged as materialized (
      select id, name, trial_end_date, analytical_quota, ai_quota, ${sql.join(flags)}
      from workspaces where deleted_at is null
    )
    select (select json_build_object(${sql.join([
      ...counts,
      pair('imports_failed', sql`(select count(*) from operations where ${failedImports})`),
      pair('runs_failed', sql`(select count(*) from vectorization_runs where ${failedRuns})`),
      pair('users_locked', sql`(select count(*) from users where users.deleted_at is null and ${lockedUsers})`),
    ])}) from flagged) as attention,
    json_build_object(${sql.join([
      pair('trials', firstWorkspaces(sql`trials_ended or trials_within_30`, { day: sql`trial_end_date` })),
      pair('analytical', firstWorkspaces(sql`analytical_low`, { left: leftOf('analytical_quota') })),
      pair('ai', firstWorkspaces(sql`ai_low`, { left: leftOf('ai_quota') })),
      pair(
        'renewals',
        firstWorkspaces(sql`renewals_overdue`, {
          day: sql`least(${renewalOf('analytical_quota')}, ${renewalOf('ai_quota')})`,
        }),
      ),
      pair('without_admin', firstWorkspaces(sql`without_admin`, {})),
      pair(
        'imports',
        firstOf(sql`select id, coalesce(name, kind) as name, ${NO_DAY}, ${NO_SHARE}, error as detail from operations
          where ${failedImports} order by created_at desc, id desc`),
      ),
      pair(
        'runs',
        firstOf(sql`select id, 'Narrative ' || narrative_id as name, ${NO_DAY}, ${NO_SHARE}, error as detail
          from vectorization_runs where ${failedRuns} order by created_at desc, id desc`),
      ),
      pair(
        'users',
        firstOf(sql`select id, full_name as name, ${NO_DAY}, ${NO_SHARE}, email as detail from users
          where users.deleted_at is null and ${lockedUsers} order by id`),
      ),
    ])}) as first`
}

const NO_DAY = sql`null::text as day`
const NO_SHARE = sql`null::numeric as "left"`

function pair(name: AttentionName | keyof Overview['first'], value: Sql) {
  return sql`${sql.lit(name)}, ${value}`
}

function whereOf(actor: Actor, of: FilteredList) {
  return sql`(${sql.join(conditionsOf(actor, of), sql` and `)})`
}

/** Those of the list itself. */
function conditionsOf(actor: Actor, { list, filter }: FilteredList) {
  if (list === 'users') return users.conditionsOf(actor, filter)
  if (list === 'imports') return imports.conditionsOf(filter)
  if (list === 'runs') return runs.conditionsOf(filter)
  return workspaces.conditionsOf(actor, filter)
}

/** Those with the earliest day or the lowest share first. */
function firstWorkspaces(isOne: Sql, { day, left }: { day?: Sql; left?: Sql }) {
  return firstOf(sql`select id, name, ${day ? sql`to_char(${day}, 'YYYY-MM-DD') as day` : NO_DAY},
    ${left ? sql`${left} as "left"` : NO_SHARE}, null as detail from flagged where ${isOne}
    order by ${day ?? left ?? sql`id`}, id`)
}

function firstOf(rows: Sql) {
  return sql`(select coalesce(json_agg(first_rows), '[]') from (${rows} limit ${sql.lit(OVERVIEW_ROWS)}) as first_rows)`
}

type Quota = 'analytical_quota' | 'ai_quota'

function leftOf(quota: Quota) {
  const part = (name: string) => sql`(${sql.ref(quota)}->>${sql.lit(name)})::numeric`
  return sql`round(100 * ${part('balance')} / nullif(${part('limit')}, 0), 1)`
}

function renewalOf(quota: Quota) {
  return sql`left(${sql.ref(quota)}->>'renewal_date', 10)::date`
}
