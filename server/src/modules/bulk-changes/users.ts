import type { UsersChange } from '@watchdesk/contract/bulk-changes'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { lockIfSuperAdmins } from '../../db/entity.ts'
import type { Db } from '../../db/open.ts'
import { invalid } from '../../problem.ts'
import { notifyMany } from '../account/notices.ts'
import { lockedUntil } from '../auth/session/lockout.ts'
import { whereOf } from '../users/filter.ts'
import { after, type BulkAction, type BulkKind, changes, number } from './kind.ts'
import { keepSuperAdmin } from './super-admins.ts'
import {
  applyToUsers,
  becomesSuperAdmin,
  endSessions,
  endsAccess,
  endsSessions,
  holdWorkspaces,
  isAfter,
  losesAccess,
} from './users-apply.ts'

const EMAIL_TAKEN = sql`(select holders.full_name || ' now has the email ' || users.email || '.' from users as holders
  where lower(holders.email) = lower(users.email) and holders.deleted_at is null)`
const hasTokens = sql`exists (select from api_tokens where api_tokens.user_id = users.id)`
const hasHome = sql`exists (select from workspaces where id = users.workspace_id and deleted_at is null)`
const hasNewHome = sql`exists (select from workspaces where id = ${after('workspace_id')}::int and deleted_at is null)`

/** The rules of a single change (`users/rules.ts`) for many. */
export const usersKind: BulkKind<'users_change'> = {
  name: 'users_change',
  entities: { many: 'users', one: 'user' },
  table: 'users',
  record: { name: sql`users.full_name`, detail: sql`users.email`, detailColumn: 'email' },
  workspace_id: sql`coalesce(${after('workspace_id')}::int, users.workspace_id)`,
  current: sql`jsonb_build_object('workspace_id', users.workspace_id, 'type', users.type, 'language', users.language,
    'is_admin', users.is_admin, 'is_super_admin', users.is_super_admin)`,
  matches: (actor, { ids, filter = {} }) =>
    ids ? sql`users.deleted_at is null and users.id = any(${ids}::int[])` : whereOf(actor, filter),
  wanted: ({ set }) => sql`${JSON.stringify(set)}::jsonb`,
  hasEffect,
  refusal,
  isDangerous,
  async check(db, { set }) {
    const workspace_id = set?.workspace_id
    if (workspace_id === undefined) return
    if (!(await workspaceOf(db, workspace_id)))
      throw invalid('workspace_id', `Workspace ${workspace_id} does not exist.`)
  },
  facts: (action) => sql`select count(distinct sessions.user_id) filter (where ${endsSessions(action)}) as signed_out,
      count(distinct users.id) filter (where ${becomesSuperAdmin} and ${hasTokens}) as with_tokens,
      count(distinct users.id) filter (where ${changes('workspace_id')} and ${isAfter('is_admin')}) as moved_admins
    from (select id as user_id, changes from judged where is_changed and reason is null) as wanted
    join users on users.id = wanted.user_id left join sessions on sessions.user_id = users.id`,
  notes: ({ signed_out = 0, moved_admins = 0, with_tokens = 0 }, { action }) =>
    [
      moved_admins > 0 &&
        `${number(moved_admins, 'of them is a workspace admin and', 'of them are workspace admins and')} will manage the users of the new workspace.`,
      signed_out > 0 && action !== 'end_sessions' && `${number(signed_out, 'person', 'people')} will be signed out.`,
      with_tokens > 0 && `The API tokens of ${number(with_tokens, 'person', 'people')} will end.`,
    ].filter((note) => note !== false),
  async lockBefore(trx, action, ids, body) {
    // An undo may change any field.
    const { is_super_admin, workspace_id } = body ? (body.set ?? {}) : { is_super_admin: false }
    const mayLose = action === 'delete' || is_super_admin === false || workspace_id !== undefined
    if (mayLose) await lockIfSuperAdmins(trx, sql`id in (${ids})`)
    return false
  },
  eventChanges: (action) => (action === 'end_sessions' ? ENDED_SESSIONS : sql`changes`),
  apply: applyToUsers,
  async notify(trx, env, actor, action) {
    if (action === 'end_sessions') {
      const whose = sql`users.id in (select id from chosen where place is not null)`
      await notifyMany(trx, env, { whose, kind: 'sessions_ended', actor })
    }
    if (action === 'update') {
      const whose = sql`users.id in (select users.id from users join chosen as wanted on wanted.id = users.id
        where wanted.place is not null and ${becomesSuperAdmin}) and ${hasTokens}`
      await notifyMany(trx, env, { whose, kind: 'tokens_ended', actor })
    }
  },
  async finish(trx, _actor, action) {
    if (action === 'update' || action === 'restore') await holdWorkspaces(trx, action)
    await endSessions(trx, action)
    await keepSuperAdmin(trx, superAdminsWhoLose(action))
  },
  words,
}

const ENDED_SESSIONS = sql`jsonb_build_object('sessions',
  jsonb_build_object('before', (select count(*) from sessions where user_id = chosen.id), 'after', 0))`

/** As for a single user, see `users/rules.ts`. Nobody can set the auditors among many. */
function isDangerous(action: BulkAction) {
  const isPowerful = sql`(users.is_super_admin or users.is_auditor)`
  return action === 'update'
    ? sql`(${changes('is_super_admin')} or (${isPowerful} and (${endsAccess(action)} or ${changes('workspace_id')})))`
    : isPowerful
}

/** Only the emails of those who failed to sign in are hashed. */
const mayBeLocked = sql`(users.id in (select user_id from failed_sign_ins where user_id is not null)
  and ${lockedUntil({ id: sql`users.id`, email: sql`users.email` })} is not null)`

function superAdminsWhoLose(action: BulkAction) {
  const isDemoted = sql`${after('is_super_admin')} = 'false'`
  return sql`select from chosen as wanted join users on users.id = wanted.id where wanted.place is not null
    and (${isDemoted} or (users.is_super_admin and ${endsAccess(action)}))`
}

function hasEffect(action: BulkAction) {
  if (action === 'end_sessions') return sql`exists (select from sessions where sessions.user_id = users.id)`
  return action === 'unlock' ? mayBeLocked : sql`true`
}

const SELF: Partial<Record<BulkAction, string>> = {
  delete: 'You cannot delete your own account. Ask another admin to do it.',
  end_sessions: 'Your own sessions are kept. Sign out to end this one.',
  unlock: 'Only another admin can unlock your account.',
}

function refusal(actor: Actor, action: BulkAction) {
  const isSelf = sql`users.id = ${actor.id}::int`
  if (action === 'restore') {
    return sql`case when not ${hasHome} then 'Their workspace is deleted. Restore the workspace first.'
      else ${EMAIL_TAKEN} end`
  }
  if (action !== 'update') return sql`case when ${isSelf} then ${SELF[action]}::text end`
  const losesSuperAdmin = sql`${after('is_super_admin')} = 'false'`
  return sql`case
    when ${isSelf} and (${losesSuperAdmin} or ${losesAccess}) then 'You cannot remove your own admin rights. Ask another admin to do it.'
    when ${isSelf} and ${changes('workspace_id')} then 'You cannot move your own account together with others. Edit it on its own page.'
    when ${changes('workspace_id')} and not ${hasNewHome} then 'Their former workspace is deleted. Restore it first.'
    when users.is_auditor and (${after('is_admin')} = 'true' or ${after('is_super_admin')} = 'true') then 'An auditor cannot be an admin too. Edit this user to turn off Auditor first.' end`
}

async function workspaceOf(db: Db, id: number) {
  return db
    .selectFrom('workspaces')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

const LANGUAGE_NAMES: Record<string, string> = { EN: 'English', UK: 'Ukrainian', '': 'automatic' }

async function words(db: Db, { action, set = {} }: UsersChange, count: number, isDone: boolean) {
  const users = number(count, 'user')
  const verb = (now: string, done: string) => (isDone ? done : now)
  if (action === 'delete') return `${verb('Delete', 'Deleted')} ${users}`
  if (action === 'unlock') return `${verb('Unlock', 'Unlocked')} ${users}`
  if (action === 'end_sessions') return `${verb('Sign out', 'Signed out')} ${users}`
  const { workspace_id, type, language, is_admin, is_super_admin } = set
  if (Object.keys(set).length === 1) {
    if (workspace_id !== undefined) {
      const name = (await workspaceOf(db, workspace_id))?.name ?? `workspace ${workspace_id}`
      return `${verb('Move', 'Moved')} ${users} to ${name}`
    }
    if (type !== undefined) return `Set the type of ${users} to ${type}`
    if (language !== undefined) return `Set the language of ${users} to ${LANGUAGE_NAMES[language]}`
    const role = is_admin === undefined ? 'super admin' : 'workspace admin'
    if (is_admin || is_super_admin) return `${verb('Make', 'Made')} ${users} ${count === 1 ? `${role}` : `${role}s`}`
    return `${verb('Remove', 'Removed')} the ${role} rights of ${users}`
  }
  const fields = Object.keys(set).map((field) => FIELD_NAMES[field] ?? field)
  return `${verb('Change', 'Changed')} the ${new Intl.ListFormat('en').format([...new Set(fields)])} of ${users}`
}

const FIELD_NAMES: Record<string, string> = {
  workspace_id: 'workspace',
  is_admin: 'admin rights',
  is_super_admin: 'super admin rights',
}
