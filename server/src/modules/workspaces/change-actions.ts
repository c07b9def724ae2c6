import type { WorkspacesChange } from '@watchdesk/contract/operations/changes'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns, requireSuperAdminWithout } from '../../db/access.ts'
import { lockIfSuperAdmins } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import {
  type ActionOnMany,
  type BulkAction,
  type BulkRow,
  edit,
  inRange,
  isMarked,
  type PlannedChange,
  type Verdict,
} from '../operations/changes/kind.ts'
import { asChanged } from '../operations/many-rows.ts'
import { lockListed, update, words } from './change-update.ts'
import { liveDashboards, lockDashboards } from './dashboards.ts'
import { changesAccess, EMAIL_TAKEN, isDeactivation, refusal, refusalInMany, type WorkspaceFields } from './rules.ts'
import {
  auditUsers,
  DELETED_WITH_IT,
  editUsers,
  LIVE,
  lockUsers,
  usersOf,
  type WithUsers,
  withPrivilegedUsers,
  withTakenEmails,
} from './users.ts'

export type WorkspaceRow = BulkRow & { fields: WorkspaceFields; today: string; users: number; signed_in: number }
type WorkspaceFacts = Awaited<ReturnType<typeof factsOf>>

type WorkspaceAction = ActionOnMany<WorkspacesChange, WorkspaceRow> & {
  evaluate(actor: Actor, row: WorkspaceRow, after: WorkspaceFields, facts: WorkspaceFacts): Verdict
}

export const ACTIONS: Record<WorkspacesChange['action'] | 'restore', WorkspaceAction> = {
  update: {
    words: async (_db, body, count, isDone) => words(body, count, isDone),
    evaluate: (actor, { id, fields, today }, after, facts) => ({
      refusal: refusalInMany(actor, { ...fields, id }, after, facts),
      needsRecentSignIn: changesAccess(fields, after, today) && facts.privileged.has(id),
      marks: isDeactivation(fields, after) ? [DEACTIVATED] : [],
    }),
    async lockBefore(trx, ids, body) {
      // An undo may set any status.
      if (!body || body.set?.status === 'DEACTIVATED')
        await lockIfSuperAdmins(trx, sql`workspace_id = any(${ids}::int[])`)
      await lockDashboards(trx, body?.set?.powerbi_dashboards?.add ?? [])
      return false
    },
    auditMore: lockListed,
    apply: (trx, actor, range, { fields }) => update(trx, actor, range, fields),
    async finish(trx) {
      const isDeactivated = isMarked(DEACTIVATED)
      // People of a deactivated workspace have no access until it is brought back.
      await endSignIns(trx, sql`users.workspace_id in (select chosen.id from chosen where ${isDeactivated})`)
      await requireSuperAdmin(trx, isDeactivated)
    },
  },
  delete: {
    verbs: { now: 'Delete', done: 'Deleted', row: 'deleted' },
    evaluate: (actor, { id, fields, users }, _after, { privileged }) => ({
      refusal: refusal(actor, { ...fields, id }, null)?.message,
      needsRecentSignIn: privileged.has(id),
      // The users that are deleted with it count too.
      identity: `${id}:${users}`,
    }),
    ...withUsers('delete'),
    finish: (trx) => requireSuperAdmin(trx, sql`true`),
  },
  restore: {
    evaluate: (_actor, { id }, _after, { clashes, privileged }) => ({
      refusal: clashes.has(id) ? EMAIL_TAKEN : undefined,
      needsRecentSignIn: privileged.has(id),
    }),
    ...withUsers('restore'),
  },
}

const NO_SUPER_ADMIN = 'This would leave no super admin who can sign in, so nothing was changed.'
const DEACTIVATED = 'deactivated'

function withUsers(action: WithUsers): Partial<WorkspaceAction> {
  const users = sql`(select count(*) from users where ${usersOf(action, sql`chosen.id`)})`
  const sides = action === 'delete' ? sql`'before', ${users}, 'after', 0` : sql`'before', 0, 'after', ${users}`
  const deleted_at = action === 'delete' ? sql`now()` : sql`null`

  /** Before their workspaces, in the order used by every write of a user. */
  async function lockBefore(trx: Trx, ids: number[]) {
    if (action === 'delete') await lockIfSuperAdmins(trx, sql`workspace_id = any(${ids}::int[])`)
    await lockUsers(trx, action, ids)
    return true
  }

  return {
    lockBefore,
    eventChanges: sql`jsonb_build_object('users', jsonb_build_object(${sides}))`,
    async auditMore(trx, actor, event_id) {
      const { rows } = await sql<{ id: number }>`select id from chosen where place is not null`.execute(trx)
      const ids = rows.map(({ id }) => id)
      // Also those who were moved there until the workspaces were locked.
      await lockBefore(trx, ids)
      await auditUsers(trx, actor, action, sql`events.parent_id = ${event_id}::bigint`)
    },
    async apply(trx, actor, range) {
      const changed = await edit(trx, actor, 'workspaces', range, [sql`deleted_at = ${deleted_at}`])
      await editUsers(trx, actor, action, sql`select id from chosen where ${inRange(range)}`).catch(asChanged)
      return changed
    },
  }
}

async function requireSuperAdmin(trx: Trx, loses: RawBuilder<unknown>) {
  const { rows } = await sql`select from chosen join users on users.workspace_id = chosen.id
    where chosen.place is not null and users.is_super_admin and ${loses} limit 1`.execute(trx)
  if (rows.length > 0) await requireSuperAdminWithout(trx, sql`false`, NO_SUPER_ADMIN)
}

type Counts = Pick<WorkspaceRow, 'users' | 'signed_in'>

/** Reads only what an action needs, and adds the numbers of users to the rows. */
export async function factsOf(
  db: Db,
  action: BulkAction,
  wanted: PlannedChange<WorkspaceRow>[],
  body?: WorkspacesChange,
) {
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
  const isUndo = body === undefined
  const dashboards = isUndo ? wanted.flatMap(({ after }) => (after as WorkspaceFields).powerbi_dashboards) : []
  const existing = new Set((await liveDashboards(db, dashboards).execute()).map(({ id }) => id))
  return {
    isExtension: body?.set?.extend_trial_days !== undefined,
    privileged: await withPrivilegedUsers(db, ids, which),
    clashes: new Set(clashing.map(({ id }) => id)),
    missing: new Set(dashboards.filter((id) => !existing.has(id))),
  }
}
