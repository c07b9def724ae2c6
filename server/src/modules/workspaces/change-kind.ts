import type { ListChange, QuotaChange, WorkspacesChange } from '@watchdesk/contract/operations/changes'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { requireSuperAdminWithout } from '../../db/access.ts'
import { TODAY } from '../../db/days.ts'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { BulkAction, BulkKind, BulkRow, Verdict, Wanted } from '../operations/changes/kind.ts'
import { changesApi, number, verb } from '../operations/changes/kind.ts'
import { applyToWorkspaces, auditUsers, endSessionsOfDeactivated, lockListed, lockWithUsers } from './change-write.ts'
import { checkDashboards, checkNames } from './choices.ts'
import { listedDashboards } from './dashboards.ts'
import { whereOf } from './filter.ts'
import { changesAccess, EMAIL_TAKEN, isDeactivation, refusal, refusalOfValues, type WorkspaceFields } from './rules.ts'
import { DELETED_WITH_IT, LIVE, usersOfAction, withPrivilegedUsers, withTakenEmails } from './users.ts'

type WorkspaceRow = BulkRow & { fields: WorkspaceFields; today: string; users: number; signed_in: number }
type Fields = NonNullable<WorkspacesChange['set']>

export const workspacesChange = (catalog: Catalog): BulkKind<'workspaces_change', WorkspaceRow> => ({
  name: 'workspaces_change',
  endpoints: {
    preview: changesApi.previewWorkspacesChange,
    list: changesApi.listWorkspacesChange,
    change: changesApi.changeWorkspaces,
  },
  entities: { many: 'workspaces', one: 'workspace' },
  table: 'workspaces',
  columns: sql`workspaces.name, null as detail, workspaces.id as workspace_id, ${TODAY}::text as today,
    jsonb_build_object('status', workspaces.status,
      'trial_end_date', to_char(workspaces.trial_end_date, 'YYYY-MM-DD"T00:00:00"'),
      'analytical_quota', workspaces.analytical_quota, 'ai_quota', workspaces.ai_quota,
      'roles', coalesce(workspaces.config -> 'roles', '[]'),
      'featureflags', coalesce(workspaces.config -> 'featureflags', '[]'),
      'powerbi_dashboards', ${listedDashboards()}) as fields`,
  matches: (actor, { ids, filter = {} }) =>
    ids ? sql`workspaces.deleted_at is null and workspaces.id = any(${ids}::int[])` : whereOf(actor, filter),
  update: (row, { set = {} }) => valuesOf(row, set),
  async judge(db, actor, wanted, body) {
    const action = wanted[0]?.action ?? 'update'
    const facts = await factsOf(db, action, wanted, body === undefined)
    const isExtension = body?.set?.extend_trial_days !== undefined
    return wanted.map(({ row, ...given }): Verdict => {
      const [before, after] = [row.fields, given.after as WorkspaceFields]
      const isGone = action === 'delete'
      const isChanged = action !== 'update' || changesAccess(before, after, row.today)
      const own = action === 'restore' ? undefined : refusal(actor, { ...before, id: row.id }, isGone ? null : after)
      return {
        refusal:
          (isExtension && before.status !== 'TRIAL' ? 'It is not a trial.' : own?.message) ??
          (facts.clashes.has(row.id) ? EMAIL_TAKEN : undefined) ??
          (after.powerbi_dashboards.some((id) => facts.missing.has(id)) ? FORMER_DASHBOARD : undefined) ??
          (action === 'update' ? refusalOfValues(before, after) : undefined),
        needsRecentSignIn: isChanged && facts.privileged.has(row.id),
        marks: action === 'update' && isDeactivation(before, after) ? ['deactivated'] : [],
        // The users that are deleted with it count too.
        identity: isGone ? `${row.id}:${facts.users.get(row.id)?.users ?? 0}` : String(row.id),
      }
    })
  },
  async check(db, { set }) {
    checkNames('roles', catalog.all_roles, { roles: set?.roles?.add ?? [] })
    checkNames('featureflags', catalog.all_featureflags, { featureflags: set?.featureflags?.add ?? [] })
    await checkDashboards(db, set?.powerbi_dashboards?.add ?? [])
  },
  tally({ action, set = {} }) {
    const count = { others: 0, ended: 0, over: 0, withoutAccess: 0, signedOut: 0, above: 0 }
    return {
      add({ row, after: given }) {
        const after = given as WorkspaceFields
        if (action === 'delete') count.others += row.users
        const today = `${row.today}T00:00:00`
        if (set.extend_trial_days !== undefined && (row.fields.trial_end_date ?? today) < today) count.ended += 1
        if (set.status === 'TRIAL' && (after.trial_end_date ?? today) < today) count.over += 1
        if (set.status === 'DEACTIVATED') {
          count.withoutAccess += row.users
          count.signedOut += row.signed_in
        }
        const quotas = [set.analytical_quota && after.analytical_quota, set.ai_quota && after.ai_quota]
        if (quotas.some((quota) => quota && quota.balance > quota.limit)) count.above += 1
      },
      others: () => count.others,
      notes: () => notesOf(count),
    }
  },
  lockBefore: lockWithUsers,
  eventChanges: (action) => {
    const which = usersOfAction(action)
    if (!which) return sql`changes`
    const users = sql`(select count(*) from users where workspace_id = chosen.id and ${which})`
    const [before, now] = action === 'delete' ? [users, sql`0`] : [sql`0`, users]
    return sql`jsonb_build_object('users', jsonb_build_object('before', ${before}, 'after', ${now}))`
  },
  async auditMore(trx, actor, action, event_id) {
    if (action === 'update') await lockListed(trx)
    else await auditUsers(trx, actor, action, event_id)
  },
  apply: applyToWorkspaces,
  // The users that are restored or deleted with them too, not those that were deleted before.
  countedChanges: (all) => sql`select id from (${all}) as records union all
    select users.id from (${all}) as records join users on workspace_id = records.id
    where after ? 'version' and (${LIVE} or ${DELETED_WITH_IT})`,
  async finish(trx, _actor, action) {
    if (action === 'update') await endSessionsOfDeactivated(trx)
    if (action === 'restore') return
    const loses = action === 'delete' ? sql`true` : sql`'deactivated' = any(chosen.marks)`
    const { rows } = await sql`select from chosen join users on users.workspace_id = chosen.id
      where chosen.place is not null and users.is_super_admin and ${loses} limit 1`.execute(trx)
    if (rows.length > 0)
      await requireSuperAdminWithout(
        trx,
        sql`false`,
        'This would leave no super admin who can sign in, so nothing was changed.',
      )
  },
  words: async (_db, body, count, isDone) => words(body, count, isDone),
})

const FORMER_DASHBOARD = 'A dashboard that it showed is deleted. Restore it first, or edit the workspace.'

type Counts = Pick<WorkspaceRow, 'users' | 'signed_in'>

/** Reads only what an action needs, and adds the numbers of users to the rows. */
async function factsOf(db: Db, action: BulkAction, wanted: Wanted<WorkspaceRow>[], isUndo: boolean) {
  const ids = wanted.map(({ row }) => row.id)
  const which = action === 'restore' ? DELETED_WITH_IT : LIVE
  const mayDeactivate = wanted.some(({ after }) => after.status === 'DEACTIVATED')
  const users = new Map<number, Counts>()
  if (action !== 'update' || mayDeactivate) {
    const counted = sql<Counts & { id: number }>`select workspace_id as id, count(*) as users,
        count(*) filter (where exists (select from sessions where sessions.user_id = users.id)) as signed_in
      from users where workspace_id = any(${ids}::int[]) and ${which} group by workspace_id`
    for (const { id, ...counts } of await rowsOf(db, counted)) users.set(id, counts)
  }
  for (const { row } of wanted) Object.assign(row, users.get(row.id) ?? { users: 0, signed_in: 0 })
  const clashing = action === 'restore' ? await rowsOf(db, withTakenEmails(ids)) : []
  const dashboards = isUndo ? wanted.flatMap(({ after }) => (after as WorkspaceFields).powerbi_dashboards) : []
  const live = sql<{
    id: number
  }>`select id from powerbi_dashboards where id = any(${dashboards}::int[]) and deleted_at is null`
  const existing = new Set((await rowsOf(db, live)).map(({ id }) => id))
  return {
    users,
    privileged: await withPrivilegedUsers(db, ids, which),
    clashes: new Set(clashing.map(({ id }) => id)),
    missing: new Set(dashboards.filter((id) => !existing.has(id))),
  }
}

/** The new values of the fields that are set. */
function valuesOf({ fields, today }: WorkspaceRow, { extend_trial_days, ...set }: Fields): Partial<WorkspaceFields> {
  const { status, trial_end_date, analytical_quota, ai_quota, roles, featureflags, powerbi_dashboards } = set
  const values = {
    status,
    trial_end_date: extend_trial_days === undefined ? trial_end_date : extended(fields, today, extend_trial_days),
    analytical_quota: analytical_quota && quotaOf(fields.analytical_quota, analytical_quota),
    ai_quota: ai_quota && quotaOf(fields.ai_quota, ai_quota),
    roles: roles && listOf(fields.roles, roles),
    featureflags: featureflags && listOf(fields.featureflags, featureflags),
    powerbi_dashboards: powerbi_dashboards && listOf(fields.powerbi_dashboards, powerbi_dashboards),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** From the last day of the trial, or from today if it has passed. */
function extended({ trial_end_date }: WorkspaceFields, today: string, days: number) {
  const last = trial_end_date?.slice(0, 10) ?? today
  const end = new Date(last > today ? last : today)
  end.setUTCDate(end.getUTCDate() + days)
  return `${end.getUTCFullYear()}${end.toISOString().slice(-20, -5)}`
}

function quotaOf(current: Workspace['ai_quota'], { limit = current.limit, balance, top_up, fill }: QuotaChange) {
  return { ...current, limit, balance: balance ?? (fill ? limit : current.balance + (top_up ?? 0)) }
}

/** What stays keeps its order, and what is new comes last. */
function listOf<Item>(current: Item[], { add = [], remove = [] }: ListChange<Item>) {
  return [...current.filter((item) => !remove.includes(item)), ...add.filter((item) => !current.includes(item))]
}

function notesOf({ others, ended, over, withoutAccess, signedOut, above }: Record<string, number>) {
  return [
    others && `${number(others, 'user')} will be deleted with them.`,
    ended &&
      `${number(ended, 'trial has', 'trials have')} ended: ${ended === 1 ? 'it is' : 'they are'} extended from today.`,
    over && `The trial of ${number(over, 'workspace')} has ended already.`,
    withoutAccess &&
      `${number(withoutAccess, 'user')} cannot sign in until ${withoutAccess === 1 ? 'the' : 'their'} workspace is active again.`,
    signedOut && `${number(signedOut, 'person', 'people')} will be signed out.`,
    above && `The balance of ${number(above, 'workspace')} will be higher than the limit.`,
  ].filter((note) => typeof note === 'string')
}

const NAMES: Record<string, string> = {
  trial_end_date: 'trial end date',
  extend_trial_days: 'trial end date',
  analytical_quota: 'analytical quota',
  ai_quota: 'AI quota',
  featureflags: 'feature flags',
  powerbi_dashboards: 'dashboards',
}

/** 'Extended the trial of 12 workspaces by 14 days', or 'Extend …' before it is done. */
function words({ action, set = {} }: WorkspacesChange, count: number, isDone: boolean) {
  const workspaces = number(count, 'workspace')
  if (action === 'delete') return `${verb(isDone, 'Delete', 'Deleted')} ${workspaces}`
  const { status, extend_trial_days, trial_end_date: _, ...others } = set
  const isAlone = Object.keys(others).length === 0
  if (extend_trial_days !== undefined && isAlone)
    return `${verb(isDone, 'Extend', 'Extended')} the trial of ${workspaces} by ${number(extend_trial_days, 'day')}`
  if (status !== undefined && isAlone) {
    return status === null
      ? `${verb(isDone, 'Remove', 'Removed')} the status of ${workspaces}`
      : `Set the status of ${workspaces} to ${status}`
  }
  const fields = new Set(Object.keys(set).map((field) => NAMES[field] ?? field))
  return `${verb(isDone, 'Change', 'Changed')} the ${new Intl.ListFormat('en').format(fields)} of ${workspaces}`
}
