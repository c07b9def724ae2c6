import type { WorkspaceFilter } from '@watchdesk/contract/workspaces'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isInUse } from '../../db/access.ts'
import { TODAY } from '../../db/days.ts'
import { matches } from '../../db/list.ts'
import { trialIsOver } from './trials.ts'

type Sql = RawBuilder<unknown>

const END = sql`workspaces.trial_end_date`
const IS_TRIAL = sql`workspaces.status = 'TRIAL'`

const TRIALS = {
  ended: trialIsOver(TODAY),
  within_7: endsWithin(7),
  within_30: endsWithin(30),
}

/** The conditions of the list, a file and a change of many workspaces, within what the caller may see. */
export function conditionsOf(actor: Pick<Actor, 'seesEverything' | 'workspace_id'>, filter: WorkspaceFilter) {
  const { search, status, trial, trial_from, trial_to, analytical_under, ai_under } = filter
  const { renewal, role, featureflag, admin } = filter
  return [
    !actor.seesEverything && sql`workspaces.id = ${actor.workspace_id}`,
    matches('workspaces.search_text', search),
    status && hasStatus(status),
    trial && TRIALS[trial],
    trial_from && sql`${IS_TRIAL} and ${END} >= ${trial_from}::date`,
    trial_to && sql`${IS_TRIAL} and ${END} <= ${trial_to}::date`,
    analytical_under !== undefined && isUnder(sql`workspaces.analytical_quota`, analytical_under),
    ai_under !== undefined && isUnder(sql`workspaces.ai_quota`, ai_under),
    renewal && sql`(${isOverdue(sql`workspaces.analytical_quota`)} or ${isOverdue(sql`workspaces.ai_quota`)})`,
    role && sql`workspaces.config -> 'roles' ? ${role}`,
    featureflag && sql`workspaces.config -> 'featureflags' ? ${featureflag}`,
    admin && HAS_NO_ADMIN,
  ].filter((condition) => typeof condition === 'object')
}

export function whereOf(actor: Actor, filter: WorkspaceFilter) {
  return sql<boolean>`${sql.join([sql`workspaces.deleted_at is null`, ...conditionsOf(actor, filter)], sql` and `)}`
}

function hasStatus(statuses: NonNullable<WorkspaceFilter['status']>) {
  const isAmongThem = sql`coalesce(workspaces.status, 'NONE') = any(${statuses}::text[])`
  return statuses.includes('IN_USE') ? sql`(${isAmongThem} or ${isInUse})` : isAmongThem
}

function endsWithin(days: number) {
  return sql`${IS_TRIAL} and ${END} between ${TODAY} and ${TODAY} + ${sql.lit(days)}`
}

/** A quota of nothing is not used up. */
function isUnder(quota: Sql, percent: number) {
  const [balance, limit] = [sql`(${quota} ->> 'balance')::numeric`, sql`(${quota} ->> 'limit')::numeric`]
  return sql`${limit} > 0 and (${balance} <= 0 or ${balance} * 100 < ${limit} * ${percent}::int)`
}

/** On the day itself it is not: the clock renews it then. */
function isOverdue(quota: Sql) {
  return sql`left(${quota} ->> 'renewal_date', 10)::date < ${TODAY}`
}

const HAS_NO_ADMIN = sql`not exists (select from users where users.workspace_id = workspaces.id
  and users.deleted_at is null and (users.is_admin or users.is_super_admin))`
