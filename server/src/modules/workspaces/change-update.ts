import type { ListChange, QuotaChange, WorkspacesChange } from '@watchdesk/contract/operations/changes'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import { after, edit, inRange, number, type Range, settingOf } from '../operations/changes/kind.ts'
import { ChangedMeanwhile } from '../operations/many-rows.ts'
import { lockDashboards, setDashboards } from './dashboards.ts'
import { FIELD_NAMES, type WorkspaceFields } from './rules.ts'

type Fields = NonNullable<WorkspacesChange['set']>
type Current = { fields: WorkspaceFields; today: string }

export function valuesOf({ fields, today }: Current, { extend_trial_days, ...set }: Fields): Partial<WorkspaceFields> {
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

function listOf<Item>(current: Item[], { add = [], remove = [] }: ListChange<Item>) {
  return [...current.filter((item) => !remove.includes(item)), ...add.filter((item) => !current.includes(item))]
}

/** An undo may put back a dashboard that somebody deletes at this moment. */
export async function lockListed(trx: Trx) {
  const { rows } = await sql<{ id: number }>`select distinct listed.id::int as id from chosen
      cross join lateral jsonb_array_elements_text(chosen.changes -> 'powerbi_dashboards' -> 'after') as listed (id)
    where chosen.place is not null`.execute(trx)
  const ids = rows.map(({ id }) => id)
  const live = await lockDashboards(trx, ids)
  if (live.length < ids.length) throw new ChangedMeanwhile()
}

export async function update(trx: Trx, actor: Actor, range: Range, fields: string[]) {
  const changed = await edit(trx, actor, 'workspaces', range, settingsOf(fields))
  if (fields.includes('powerbi_dashboards')) {
    const lists = sql`select id as workspace_id, changes -> 'powerbi_dashboards' -> 'after' as dashboards from chosen
      where ${inRange(range)} and changes ? 'powerbi_dashboards'`
    await setDashboards(trx, lists)
  }
  return changed
}

const NEW = sql`chosen.changes`
const COLUMNS: Record<string, RawBuilder<unknown>> = {
  status: sql`${after('status')}`,
  trial_end_date: sql`left(${after('trial_end_date')}, 10)::date`,
  analytical_quota: sql`${NEW} -> 'analytical_quota' -> 'after'`,
  ai_quota: sql`${NEW} -> 'ai_quota' -> 'after'`,
}
const SETTINGS = ['roles', 'featureflags']

function settingsOf(fields: string[]) {
  const columns = settingOf('workspaces', COLUMNS, fields)
  if (!SETTINGS.some((field) => fields.includes(field))) return columns
  const settings = sql`(select coalesce(jsonb_object_agg(key, value -> 'after'), '{}') from jsonb_each(${NEW})
    where key = any(${SETTINGS}::text[]))`
  return [...columns, sql`config = workspaces.config || ${settings}`]
}

export function words({ set = {} }: WorkspacesChange, count: number, isDone: boolean) {
  const workspaces = number(count, 'workspace')
  const { status, extend_trial_days, trial_end_date: _, ...others } = set
  const isAlone = Object.keys(others).length === 0
  if (extend_trial_days !== undefined && isAlone)
    return `${isDone ? 'Extended' : 'Extend'} the trial of ${workspaces} by ${number(extend_trial_days, 'day')}`
  if (status !== undefined && isAlone) {
    return status === null
      ? `${isDone ? 'Removed' : 'Remove'} the status of ${workspaces}`
      : `Set the status of ${workspaces} to ${status}`
  }
  const names: Record<string, string> = { ...FIELD_NAMES, extend_trial_days: FIELD_NAMES.trial_end_date }
  const fields = new Set(Object.keys(set).map((field) => names[field] ?? field))
  return `${isDone ? 'Changed' : 'Change'} the ${new Intl.ListFormat('en').format(fields)} of ${workspaces}`
}
