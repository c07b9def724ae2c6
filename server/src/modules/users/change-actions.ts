import type { UsersChange } from '@watchdesk/contract/operations/changes'
import { choiceText, USER_CHOICE_NAMES, type User } from '@watchdesk/contract/users'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns, requireSuperAdminWithout } from '../../db/access.ts'
import { lockIfSuperAdmins } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import { notify } from '../auth/notices.ts'
import { lockedUntil, secondFactorHash } from '../auth/session/lockout.ts'
import {
  type ActionOnMany,
  after,
  type BulkRow,
  edit,
  isMarked,
  number,
  settingOf,
} from '../operations/changes/kind.ts'
import { ChangedMeanwhile } from '../operations/many-rows.ts'
import { type Facts, liveWorkspace } from './facts.ts'
import { type Account, effectOnSignIns, losesSuperAdmin, refusal, refusalTo, refusalToRestore } from './rules.ts'

type Sql = RawBuilder<unknown>

const CHANGED_FIELDS = ['workspace_id', ...USER_CHOICE_NAMES, 'is_admin', 'is_super_admin'] as const

const VALUES = {
  workspace_id: sql`${after('workspace_id')}::int`,
  ...Object.fromEntries(USER_CHOICE_NAMES.map((field) => [field, after(field)])),
  is_admin: sql`${after('is_admin')}::boolean`,
  is_super_admin: sql`${after('is_super_admin')}::boolean`,
}

export type UserRow = BulkRow & {
  fields: Pick<User, (typeof CHANGED_FIELDS)[number]>
  email: string
  is_auditor: boolean
  has_sessions: boolean
  has_tokens: boolean
  may_be_locked: boolean
}

// Only the emails of those who failed to sign in are hashed.
export const COLUMNS = sql`users.full_name as name, users.email as detail, users.workspace_id, users.email, users.is_auditor,
  json_build_object(${sql.join(CHANGED_FIELDS.flatMap((field) => [sql.lit(field), sql.ref(`users.${field}`)]))}) as fields,
  exists (select from sessions where sessions.user_id = users.id) as has_sessions,
  exists (select from api_tokens where api_tokens.user_id = users.id) as has_tokens,
  users.id in (select user_id from failed_sign_ins where user_id is not null)
    and ${lockedUntil({ id: sql`users.id`, email: sql`users.email` })} is not null as may_be_locked`

type UserAction = ActionOnMany<UsersChange, UserRow> & {
  /** `later` is the same user after an update. */
  refusal(actor: Actor, user: Account & { email: string }, later: Account, facts: Facts): string | undefined
  marks?(user: Account, later: Account, facts: Facts): (string | false | undefined)[]
}

export const ACTIONS: Record<UsersChange['action'] | 'restore', UserAction> = {
  update: {
    words,
    refusal(actor, user, later, facts) {
      const isMovedSelf = user.id === actor.id && later.workspace_id !== user.workspace_id
      return refusal(actor, user, later, facts)?.message ?? (isMovedSelf ? OWN_HOME : undefined)
    },
    marks: (user, later, facts) => [
      effectOnSignIns(user, later, facts),
      losesSuperAdmin(user, later, facts) && WAS_SUPER_ADMIN,
      facts.workspaces.get(later.workspace_id)?.isDeactivated && 'to deactivated',
    ],
    // Without a body it is an undo (`operations/changes/undo.ts`), which may change any field.
    async lockBefore(trx, ids, body) {
      const { is_super_admin, workspace_id } = body ? (body.set ?? {}) : { is_super_admin: false }
      return is_super_admin === false || workspace_id !== undefined ? lockSuperAdmins(trx, ids) : false
    },
    async notify(trx, env, actor) {
      const whose = sql`${isIn(sql`(${isMarked('loses access')} or ${isMarked('sees everything')})`)}
        and exists (select from api_tokens where user_id = users.id)`
      await notify(trx, env, { whose, kind: 'tokens_ended', actor })
    },
    apply: (trx, actor, range, { fields }) => edit(trx, actor, 'users', range, settingOf('users', VALUES, fields)),
    async finish(trx) {
      await lockWorkspaces(trx, sql`chosen.changes ? 'workspace_id'`)
      await endAccess(trx)
    },
  },
  delete: {
    verbs: { now: 'Delete', done: 'Deleted', row: 'deleted' },
    refusal: (actor, user) => refusalTo('delete', actor, user)?.message,
    marks: (user) => ['loses access', user.is_super_admin && WAS_SUPER_ADMIN],
    lockBefore: lockSuperAdmins,
    apply: (trx, actor, range) =>
      edit(trx, actor, 'users', range, [sql`deleted_at = now(), deleted_by_super_admin = true`]),
    finish: endAccess,
  },
  restore: {
    refusal: (actor, user, _later, facts) =>
      refusalToRestore(actor, { ...user, deleted_by_super_admin: true }, facts)?.text,
    lockBefore: lockSuperAdmins,
    apply: (trx, actor, range) =>
      edit(trx, actor, 'users', range, [sql`deleted_at = null, deleted_with_workspace = false`]),
    finish: (trx) => lockWorkspaces(trx, sql`true`),
  },
  end_sessions: {
    verbs: { now: 'Sign out', done: 'Signed out', row: 'signed out' },
    hasEffect: (row) => row.has_sessions,
    refusal: (actor, user) => (user.id === actor.id ? OWN_SESSIONS : undefined),
    eventChanges: sql`jsonb_build_object('sessions',
      jsonb_build_object('before', (select count(*) from sessions where user_id = chosen.id), 'after', 0))`,
    notify: (trx, env, actor) => notify(trx, env, { whose: isIn(CHOSEN), kind: 'sessions_ended', actor }),
    finish: (trx) => endSignIns(trx, isIn(CHOSEN)),
  },
  unlock: {
    verbs: { now: 'Unlock', done: 'Unlocked', row: 'unlocked' },
    hasEffect: (row) => row.may_be_locked,
    refusal: (actor, user) => refusalTo('unlock', actor, user)?.message,
    async finish(trx) {
      await sql`delete from failed_sign_ins using chosen where ${CHOSEN}
        and email_hash in (sha256(lower(chosen.detail)::bytea), ${secondFactorHash(sql`chosen.id`)})`.execute(trx)
    },
  },
}

async function words(db: Db, { set = {} }: UsersChange, count: number, isDone: boolean) {
  const users = number(count, 'user')
  const { workspace_id, is_admin, is_super_admin } = set
  const fields = Object.keys(set)
  if (fields.length > 1) {
    const names = fields.map((field) => FIELD_NAMES[field] ?? field)
    return `${isDone ? 'Changed' : 'Change'} the ${new Intl.ListFormat('en').format(names)} of ${users}`
  }
  if (workspace_id !== undefined) {
    const workspace = await liveWorkspace(db, workspace_id).executeTakeFirst()
    return `${isDone ? 'Moved' : 'Move'} ${users} to ${workspace?.name ?? `workspace ${workspace_id}`}`
  }
  for (const field of USER_CHOICE_NAMES) {
    const value = set[field]
    if (value !== undefined) return `Set the ${field} of ${users} to ${choiceText(field, value, 'inSentences')}`
  }
  const role = is_admin === undefined ? 'super admin' : 'workspace admin'
  if (is_admin || is_super_admin) return `${isDone ? 'Made' : 'Make'} ${users} ${count === 1 ? role : `${role}s`}`
  return `${isDone ? 'Removed' : 'Remove'} the ${role} rights of ${users}`
}

const FIELD_NAMES: Record<string, string> = {
  workspace_id: 'workspace',
  is_admin: 'admin rights',
  is_super_admin: 'super admin rights',
}

const OWN_SESSIONS = 'Your own sessions are kept. Sign out to end this one.'
const OWN_HOME = 'You cannot move your own account together with others. Edit it on its own page.'
const NO_SUPER_ADMIN = 'This would leave no super admin who can sign in, so nothing was changed.'
const WAS_SUPER_ADMIN = 'was super admin'

const CHOSEN = sql`chosen.place is not null`

/** A condition for rows of users, by one for those of `chosen`. */
function isIn(condition: Sql) {
  return sql`users.id in (select chosen.id from chosen where ${condition})`
}

async function lockSuperAdmins(trx: Trx, ids: number[]) {
  await lockIfSuperAdmins(trx, sql`id = any(${ids}::int[])`)
  return false
}

/** Locks the workspaces that users are moved or restored to, so that they stay what the rules were asked about. */
async function lockWorkspaces(trx: Trx, isNew: Sql) {
  const { rows } = await sql<{ is_other: boolean }>`select deleted_at is not null or exists (select from chosen
      where chosen.workspace_id = workspaces.id and chosen.place is not null and chosen.changes ? 'workspace_id'
        and ('to deactivated' = any(chosen.marks)) <> (status is not distinct from 'DEACTIVATED')) as is_other
    from workspaces where id in (select workspace_id from chosen where place is not null and ${isNew}) order by id
    for share`.execute(trx)
  if (rows.some(({ is_other }) => is_other)) throw new ChangedMeanwhile()
}

async function endAccess(trx: Trx) {
  await endSignIns(trx, isIn(isMarked('loses access')), { withTokens: true })
  await endSignIns(trx, isIn(isMarked('sees everything')), { withTokens: true, withLinks: false })
  const { rows } = await sql`select from chosen where ${isMarked(WAS_SUPER_ADMIN)} limit 1`.execute(trx)
  if (rows.length > 0) await requireSuperAdminWithout(trx, sql`false`, NO_SUPER_ADMIN)
}
