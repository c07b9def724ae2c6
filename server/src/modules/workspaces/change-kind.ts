import type { WorkspacesChange } from '@watchdesk/contract/operations/changes'
import { sql } from 'kysely'
import { TODAY } from '../../db/days.ts'
import { refuse } from '../../problem.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { type BulkKind, number } from '../operations/changes/kind.ts'
import { ACTIONS, factsOf, type WorkspaceRow } from './change-actions.ts'
import { valuesOf } from './change-update.ts'
import { listedDashboards, liveDashboards } from './dashboards.ts'
import { whereOf } from './filter.ts'
import { refusalOfChoices, type WorkspaceFields } from './rules.ts'
import { DELETED_WITH_IT, LIVE } from './users.ts'

export const workspacesChange = (catalog: Catalog): BulkKind<WorkspacesChange, WorkspaceRow> => ({
  entities: { many: 'workspaces', one: 'workspace' },
  table: 'workspaces',
  actions: ACTIONS,
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
  fieldOf: { extend_trial_days: 'trial_end_date' },
  async evaluate(db, actor, wanted, body) {
    const [first] = wanted
    if (!first) return []
    const action = ACTIONS[first.action as keyof typeof ACTIONS]
    const facts = await factsOf(db, first.action, wanted, body)
    return wanted.map(({ row, after }) => action.evaluate(actor, row, after as WorkspaceFields, facts))
  },
  async check(db, { set = {} }) {
    const { roles = {}, featureflags = {}, powerbi_dashboards = {} } = set
    const added = {
      roles: roles.add ?? [],
      featureflags: featureflags.add ?? [],
      powerbi_dashboards: powerbi_dashboards.add ?? [],
    }
    const existing = await liveDashboards(db, added.powerbi_dashboards).execute()
    refuse(refusalOfChoices({}, added, { catalog, dashboards: existing.map(({ id }) => id) }))
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
  // The users that are restored or deleted with them too, not those that were deleted before.
  countedChanges: (all) => sql`select id from (${all}) as records union all
    select users.id from (${all}) as records join users on workspace_id = records.id
    where after ? 'version' and (${LIVE} or ${DELETED_WITH_IT})`,
})

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
