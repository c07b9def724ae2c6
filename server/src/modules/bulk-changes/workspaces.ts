import { LIST_LENGTH, MAX_QUOTA } from '@watchdesk/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { TODAY } from '../../db/days.ts'
import { invalid } from '../../problem.ts'
import { USERS_COUNT } from '../workspaces/computed.ts'
import { listedDashboards } from '../workspaces/dashboards.ts'
import { whereOf } from '../workspaces/filter.ts'
import { changesAccess, LIVE } from '../workspaces/users.ts'
import { after, type BulkAction, type BulkBody, type BulkKind, changes, number } from './kind.ts'
import { keepSuperAdmin } from './super-admins.ts'
import { applyToWorkspaces, auditUsers, endSessionsOfDeactivated, lockWithUsers, USERS_OF } from './workspaces-apply.ts'
import { DAY_FORMAT, wantedFields } from './workspaces-wanted.ts'
import { workspaceWords } from './workspaces-words.ts'

type Sql = RawBuilder<unknown>

const LISTS = { roles: 'roles', featureflags: 'feature flags', powerbi_dashboards: 'dashboards' }
const QUOTAS = { analytical_quota: 'analytical', ai_quota: 'AI' }

/** The rules of a single change for many. */
export const workspacesKind: BulkKind<'workspaces_change'> = {
  name: 'workspaces_change',
  entities: { many: 'workspaces', one: 'workspace' },
  table: 'workspaces',
  record: { name: sql`workspaces.name`, detail: sql`null::text`, detailColumn: null },
  workspace_id: sql`workspaces.id`,
  // The users that are deleted with it count too.
  identity: (action) => (action === 'delete' ? sql`workspaces.id || ':' || ${USERS_COUNT}` : sql`workspaces.id::text`),
  current: sql`jsonb_build_object('status', workspaces.status,
    'trial_end_date', to_char(workspaces.trial_end_date, ${DAY_FORMAT}),
    'analytical_quota', workspaces.analytical_quota, 'ai_quota', workspaces.ai_quota,
    'roles', coalesce(workspaces.config -> 'roles', '[]'),
    'featureflags', coalesce(workspaces.config -> 'featureflags', '[]'),
    'powerbi_dashboards', ${listedDashboards()})`,
  matches: (actor, { ids, filter = {} }) =>
    ids ? sql`workspaces.deleted_at is null and workspaces.id = any(${ids}::int[])` : whereOf(actor, filter),
  wanted: ({ set = {} }) => wantedFields(set),
  hasEffect: () => sql`true`,
  refusal,
  isDangerous,
  async check(db, { set }) {
    const ids = set?.powerbi_dashboards?.add ?? []
    const live = await db
      .selectFrom('powerbi_dashboards')
      .select('id')
      .where(sql<boolean>`id = any(${ids}::int[])`)
      .where('deleted_at', 'is', null)
      .execute()
    const missing = ids.find((id) => !live.some((dashboard) => dashboard.id === id))
    if (missing !== undefined) throw invalid('powerbi_dashboards', `Dashboard ${missing} does not exist.`)
  },
  facts,
  notes: ({ others = 0, ended = 0, over = 0, without_access = 0, signed_out = 0, above = 0 }) =>
    [
      others > 0 && `${number(others, 'user')} will be deleted with them.`,
      ended > 0 &&
        `${number(ended, 'trial has', 'trials have')} ended: ${ended === 1 ? 'it is' : 'they are'} extended from today.`,
      over > 0 && `The trial of ${number(over, 'workspace')} has ended already.`,
      without_access > 0 &&
        `${number(without_access, 'user')} cannot sign in until ${without_access === 1 ? 'the' : 'their'} workspace is active again.`,
      signed_out > 0 && `${number(signed_out, 'person', 'people')} will be signed out.`,
      above > 0 && `The balance of ${number(above, 'workspace')} will be higher than the limit.`,
    ].filter((note) => note !== false),
  lockBefore: lockWithUsers,
  eventChanges: (action) => {
    if (action === 'update') return sql`changes`
    const count = sql`(select count(*) from users where workspace_id = chosen.id and ${USERS_OF[action]})`
    const [before, now] = action === 'delete' ? [count, sql`0`] : [sql`0`, count]
    return sql`jsonb_build_object('users', jsonb_build_object('before', ${before}, 'after', ${now}))`
  },
  auditMore: auditUsers,
  apply: applyToWorkspaces,
  countedChanges: (all) => sql`select from (${all}) as records cross join lateral generate_series(0,
    coalesce(greatest((changes -> 'users' ->> 'before')::int, (changes -> 'users' ->> 'after')::int), 0))`,
  async finish(trx, _actor, action) {
    if (action === 'update') await endSessionsOfDeactivated(trx)
    if (action !== 'restore') await keepSuperAdmin(trx, superAdminsOf(action))
  },
  words: async (_db, body, count, isDone) => workspaceWords(body, count, isDone),
}

/** As for a single workspace, see `checkSuperAdmins`. */
function isDangerous(action: BulkAction) {
  return sql`exists (select from users where users.workspace_id = workspaces.id
    and (users.is_super_admin or users.is_auditor)
    and ${USERS_OF[action] ?? sql`${LIVE} and ${changesAccess(sql`wanted.changes`)}`})`
}

function superAdminsOf(action: BulkAction) {
  const loses = action === 'delete' ? sql`true` : sql`${after('status', sql`chosen.changes`)} = 'DEACTIVATED'`
  return sql`select from chosen join users on users.workspace_id = chosen.id
    where chosen.place is not null and users.is_super_admin and ${loses}`
}

function refusal(actor: Actor, action: BulkAction, body?: BulkBody<'workspaces_change'>) {
  const isOwn = sql`workspaces.id = ${actor.workspace_id}::int`
  if (action === 'delete') return sql`case when ${isOwn} then 'You cannot delete your own workspace.' end`
  if (action === 'restore') {
    return sql`case when exists (select from users join users as holders on lower(holders.email) = lower(users.email)
        and holders.deleted_at is null
      where users.workspace_id = workspaces.id and users.deleted_with_workspace)
      then 'Another user now has the email of one of its users.' end`
  }
  const isNoTrial = sql`workspaces.status is distinct from 'TRIAL'`
  return sql`case
    ${body?.set?.extend_trial_days === undefined ? sql`` : sql`when ${isNoTrial} then 'It is not a trial.'`}
    when ${isOwn} and ${after('status')} = 'DEACTIVATED' then 'You cannot deactivate your own workspace.'
    when ${newValue('status')} = 'TRIAL' and ${newValue('trial_end_date')} is null
      then 'It has no trial end date. Set one to make it a trial.'
    ${body ? sql`` : FORMER_DASHBOARD}
    when length(${after('trial_end_date')}) > ${'9999-12-31T00:00:00'.length} then 'The trial would end after the year 9999.'
    ${sql.join(Object.entries(QUOTAS).map(tooMuch), sql` `)} ${sql.join(Object.entries(LISTS).map(tooMany), sql` `)}
    end`
}

/** Of an undo: a dashboard that the workspace showed is deleted. */
const FORMER_DASHBOARD = sql`when exists (
    select from jsonb_array_elements_text(wanted.changes -> 'powerbi_dashboards' -> 'after') as former (id)
    where not exists (select from powerbi_dashboards where id = former.id::int and deleted_at is null))
  then 'A dashboard that it showed is deleted. Restore it first, or edit the workspace.'`

/** The value of a field after the change, as text. */
function newValue(field: string) {
  return sql`case when ${changes(field)} then ${after(field)} else now.fields ->> ${sql.lit(field)} end`
}

function tooMuch([field, name]: [string, string]) {
  const balance = sql`(wanted.changes -> ${sql.lit(field)} -> 'after' ->> 'balance')::numeric`
  return sql`when ${balance} > ${MAX_QUOTA}::numeric
    then ${`The balance of its ${name} quota would be more than ${MAX_QUOTA.toLocaleString('en')}.`}::text`
}

function tooMany([field, name]: [string, string]) {
  const list = sql`wanted.changes -> ${sql.lit(field)} -> 'after'`
  return sql`when jsonb_array_length(${list}) > ${LIST_LENGTH}::int then ${`It would have more than ${LIST_LENGTH} ${name}.`}::text`
}

function facts(action: BulkAction, { set = {} }: BulkBody<'workspaces_change'>): Sql {
  const chosen = sql`from judged join workspaces on workspaces.id = judged.id and is_changed and reason is null`
  const users = sql`join users on users.workspace_id = workspaces.id and users.deleted_at is null`
  if (action === 'delete') return sql`select count(*) as others ${chosen} ${users}`
  const counts: Record<string, Sql | false | undefined> = {
    ended:
      set.extend_trial_days !== undefined && sql`select count(*) ${chosen} where workspaces.trial_end_date < ${TODAY}`,
    over: set.status === 'TRIAL' && sql`select count(*) ${chosen} where ${newTrialEnd} < ${TODAY}`,
    without_access: set.status === 'DEACTIVATED' && sql`select count(*) ${chosen} ${users}`,
    signed_out:
      set.status === 'DEACTIVATED' &&
      sql`select count(distinct user_id) ${chosen} ${users} join sessions on sessions.user_id = users.id`,
    above:
      (set.analytical_quota || set.ai_quota) &&
      sql`select count(*) ${chosen} where ${sql.join(Object.keys(QUOTAS).map(isAbove), sql` or `)}`,
  }
  const given = Object.entries(counts).flatMap(([name, count]) => (count ? [sql`(${count}) as ${sql.ref(name)}`] : []))
  return given.length > 0 ? sql`select ${sql.join(given)}` : sql`select 0 as others`
}

const newTrialEnd = sql`coalesce(left(${after('trial_end_date', sql`judged.changes`)}, 10)::date, workspaces.trial_end_date)`

/** Whether the change leaves more than the limit. */
function isAbove(field: string) {
  const quota = sql`(judged.changes -> ${sql.lit(field)} -> 'after')`
  return sql`(${quota} ->> 'balance')::bigint > (${quota} ->> 'limit')::bigint`
}
