import type { UsersChange } from '@watchdesk/contract/operations/changes'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns, requireSuperAdminWithout } from '../../db/access.ts'
import { lockIfSuperAdmins } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { notifyMany } from '../auth/notices.ts'
import { lockedUntil, secondFactorHash } from '../auth/session/lockout.ts'
import {
  type Applied,
  after,
  type BulkAction,
  type BulkKind,
  type BulkRow,
  changesApi,
  inRange,
  isMarked,
  number,
  type Range,
  settingOf,
  type Verdict,
  verb,
} from '../operations/changes/kind.ts'
import { asChanged, ChangedMeanwhile } from '../operations/retry.ts'
import { factsOf } from './facts.ts'
import { whereOf } from './filter.ts'
import {
  type Account,
  effectOnSignIns,
  isDangerous,
  losesSuperAdmin,
  refusal,
  refusalToRestore,
  refusalToUnlock,
} from './rules.ts'
import { workspaceNotFound } from './store.ts'

type Fields = Pick<Account, 'workspace_id' | 'is_super_admin'> & { type: string; language: string; is_admin: boolean }
type UserRow = BulkRow & {
  fields: Fields
  email: string
  is_auditor: boolean
  has_sessions: boolean
  has_tokens: boolean
  may_be_locked: boolean
}

export const usersChange: BulkKind<'users_change', UserRow> = {
  name: 'users_change',
  endpoints: {
    preview: changesApi.previewUsersChange,
    list: changesApi.listUsersChange,
    change: changesApi.changeUsers,
  },
  entities: { many: 'users', one: 'user' },
  table: 'users',
  detailColumn: 'email',
  // Only the emails of those who failed to sign in are hashed.
  columns: sql`users.full_name as name, users.email as detail, users.workspace_id, users.email, users.is_auditor,
    json_build_object('workspace_id', users.workspace_id, 'type', users.type, 'language', users.language,
      'is_admin', users.is_admin, 'is_super_admin', users.is_super_admin) as fields,
    exists (select from sessions where sessions.user_id = users.id) as has_sessions,
    exists (select from api_tokens where api_tokens.user_id = users.id) as has_tokens,
    users.id in (select user_id from failed_sign_ins where user_id is not null)
      and ${lockedUntil({ id: sql`users.id`, email: sql`users.email` })} is not null as may_be_locked`,
  matches: (actor, { ids, filter = {} }) =>
    ids ? sql`users.deleted_at is null and users.id = any(${ids}::int[])` : whereOf(actor, filter),
  update: (_row, { set = {} }) => set,
  hasEffect(row, action) {
    if (action === 'end_sessions') return row.has_sessions
    return action !== 'unlock' || row.may_be_locked
  },
  async judge(db, actor, wanted) {
    const workspace_ids = wanted.flatMap(({ row, after }) => [row.fields.workspace_id, Number(after.workspace_id)])
    const isRestore = wanted[0]?.action === 'restore'
    const facts = await factsOf((query) => rowsOf(db, query), {
      workspace_ids,
      emails: isRestore ? wanted.map(({ row }) => row.email) : [],
    })
    return wanted.map(({ row, action, after }): Verdict => {
      const [before, later] = [accountOf(row, row.fields), accountOf(row, after)]
      const isSelf = row.id === actor.id
      if (action === 'restore') {
        const user = { ...before, email: row.email, deleted_by_super_admin: true }
        return {
          refusal: refusalToRestore(actor, user, facts)?.text,
          needsRecentSignIn: isDangerous(actor, null, before),
        }
      }
      const needsRecentSignIn = isDangerous(actor, before, action === 'update' ? later : null)
      if (action === 'unlock') return { refusal: refusalToUnlock(actor, before)?.message, needsRecentSignIn }
      if (action === 'end_sessions') return { refusal: isSelf ? OWN_SESSIONS : undefined, needsRecentSignIn }
      const lost = action === 'delete' ? 'loses access' : effectOnSignIns(before, later, facts)
      const isLost = losesSuperAdmin(before, later) || (before.is_super_admin && lost === 'loses access')
      const why = refusal(actor, before, action === 'delete' ? null : later, facts)
      return {
        refusal: why?.message ?? (isSelf && later.workspace_id !== before.workspace_id ? OWN_HOME : undefined),
        needsRecentSignIn,
        marks: [
          ...(lost ? [lost] : []),
          ...(isLost ? ['was super admin'] : []),
          ...(facts.workspaces.get(later.workspace_id)?.isDeactivated ? ['to deactivated'] : []),
        ],
      }
    })
  },
  async check(db, { set }) {
    const workspace_id = set?.workspace_id
    if (workspace_id !== undefined && !(await nameOfWorkspace(db, workspace_id))) throw workspaceNotFound(workspace_id)
  },
  tally({ action }) {
    const count = { signedOut: 0, withTokens: 0, movedAdmins: 0 }
    return {
      add({ row, after }, marks) {
        const isMoved = after.workspace_id !== row.fields.workspace_id
        const seesMore = marks.includes('sees everything')
        if ((seesMore || marks.includes('loses access')) && row.has_sessions) count.signedOut += 1
        if (seesMore && row.has_tokens) count.withTokens += 1
        if (isMoved && after.is_admin === true) count.movedAdmins += 1
      },
      notes: () =>
        [
          count.movedAdmins > 0 &&
            `${number(count.movedAdmins, 'of them is a workspace admin and', 'of them are workspace admins and')} will manage the users of the new workspace.`,
          count.signedOut > 0 &&
            action !== 'end_sessions' &&
            `${number(count.signedOut, 'person', 'people')} will be signed out.`,
          count.withTokens > 0 && `The API tokens of ${number(count.withTokens, 'person', 'people')} will end.`,
        ].filter((note) => note !== false),
    }
  },
  async lockBefore(trx, action, ids, body) {
    // An undo may change any field.
    const { is_super_admin, workspace_id } = body ? (body.set ?? {}) : { is_super_admin: false }
    const mayLose = action === 'delete' || is_super_admin === false || workspace_id !== undefined
    if (mayLose) await lockIfSuperAdmins(trx, sql`id = any(${ids}::int[])`)
    return false
  },
  eventChanges: (action) => (action === 'end_sessions' ? ENDED_SESSIONS : sql`changes`),
  apply,
  async notify(trx, env, actor, action) {
    if (action === 'end_sessions')
      await notifyMany(trx, env, { whose: isIn(sql`chosen.place is not null`), kind: 'sessions_ended', actor })
    const isEnding = sql`${isIn(sql`(${isMarked('loses access')} or ${isMarked('sees everything')})`)}
      and exists (select from api_tokens where user_id = users.id)`
    if (action === 'update') await notifyMany(trx, env, { whose: isEnding, kind: 'tokens_ended', actor })
  },
  async finish(trx, _actor, action) {
    if (action === 'update' || action === 'restore') await lockWorkspaces(trx, action)
    if (action === 'end_sessions') await endSignIns(trx, isIn(sql`chosen.place is not null`))
    await endSignIns(trx, isIn(isMarked('loses access')), { withTokens: true })
    await endSignIns(trx, isIn(isMarked('sees everything')), { withTokens: true, withLinks: false })
    const { rows } = await sql`select from chosen where ${isMarked('was super admin')} limit 1`.execute(trx)
    if (rows.length > 0)
      await requireSuperAdminWithout(
        trx,
        sql`false`,
        'This would leave no super admin who can sign in, so nothing was changed.',
      )
  },
  words,
}

const OWN_SESSIONS = 'Your own sessions are kept. Sign out to end this one.'
const OWN_HOME = 'You cannot move your own account together with others. Edit it on its own page.'

const ENDED_SESSIONS = sql`jsonb_build_object('sessions',
  jsonb_build_object('before', (select count(*) from sessions where user_id = chosen.id), 'after', 0))`

function accountOf({ id, is_auditor, email }: UserRow, fields: object): Account {
  return { ...(fields as Fields), id, is_auditor, email }
}

/** A condition for rows of users, by one for those of `chosen`. */
function isIn(condition: ReturnType<typeof sql>) {
  return sql`users.id in (select chosen.id from chosen where ${condition})`
}

async function apply(trx: Trx, actor: Actor, action: BulkAction, range: Range, { fields }: Applied) {
  if (action === 'unlock') {
    await sql`delete from failed_sign_ins using chosen
      where ${inRange(range)}
        and email_hash in (sha256(lower(chosen.detail)::bytea), ${secondFactorHash(sql`chosen.id`)})`.execute(trx)
  }
  if (action === 'unlock' || action === 'end_sessions') return range.to - range.from
  const edited = sql`version = users.version + 1, updated_at = now(), updated_by = ${actor.id}::int`
  const { numAffectedRows } = await sql`update users set ${setting(action, fields)}, ${edited} from chosen
    where ${inRange(range)} and users.id = chosen.id and users.version = chosen.version`
    .execute(trx)
    .catch(asChanged)
  return Number(numAffectedRows ?? 0)
}

const VALUES = {
  workspace_id: sql`${after('workspace_id')}::int`,
  type: after('type'),
  language: after('language'),
  is_admin: sql`${after('is_admin')}::boolean`,
  is_super_admin: sql`${after('is_super_admin')}::boolean`,
}

function setting(action: BulkAction, fields: string[]) {
  if (action === 'delete') return sql`deleted_at = now(), deleted_by_super_admin = true`
  if (action === 'restore') return sql`deleted_at = null, deleted_with_workspace = false`
  return sql.join(settingOf('users', VALUES, fields))
}

/** Locks the workspaces that users are moved or restored to, so that they stay what the rules were asked about. */
async function lockWorkspaces(trx: Trx, action: BulkAction) {
  const isNew = action === 'restore' ? sql`true` : sql`chosen.changes ? 'workspace_id'`
  const { rows } = await sql<{ is_other: boolean }>`select deleted_at is not null or exists (select from chosen
      where chosen.workspace_id = workspaces.id and chosen.place is not null and chosen.changes ? 'workspace_id'
        and ('to deactivated' = any(chosen.marks)) <> (status is not distinct from 'DEACTIVATED')) as is_other
    from workspaces where id in (select workspace_id from chosen where place is not null and ${isNew}) order by id
    for share`.execute(trx)
  if (rows.some(({ is_other }) => is_other)) throw new ChangedMeanwhile()
}

async function nameOfWorkspace(db: Db, id: number) {
  const workspace = db.selectFrom('workspaces').select('name').where('id', '=', id).where('deleted_at', 'is', null)
  return (await workspace.executeTakeFirst())?.name
}

const LANGUAGE_NAMES: Record<string, string> = { EN: 'English', UK: 'Ukrainian', '': 'automatic' }

async function words(db: Db, { action, set = {} }: UsersChange, count: number, isDone: boolean) {
  const users = number(count, 'user')
  if (action === 'delete') return `${verb(isDone, 'Delete', 'Deleted')} ${users}`
  if (action === 'unlock') return `${verb(isDone, 'Unlock', 'Unlocked')} ${users}`
  if (action === 'end_sessions') return `${verb(isDone, 'Sign out', 'Signed out')} ${users}`
  const { workspace_id, type, language, is_admin, is_super_admin } = set
  if (Object.keys(set).length === 1) {
    if (workspace_id !== undefined) {
      const name = (await nameOfWorkspace(db, workspace_id)) ?? `workspace ${workspace_id}`
      return `${verb(isDone, 'Move', 'Moved')} ${users} to ${name}`
    }
    if (type !== undefined) return `Set the type of ${users} to ${type}`
    if (language !== undefined) return `Set the language of ${users} to ${LANGUAGE_NAMES[language]}`
    const role = is_admin === undefined ? 'super admin' : 'workspace admin'
    if (is_admin || is_super_admin)
      return `${verb(isDone, 'Make', 'Made')} ${users} ${count === 1 ? `${role}` : `${role}s`}`
    return `${verb(isDone, 'Remove', 'Removed')} the ${role} rights of ${users}`
  }
  const fields = Object.keys(set).map((field) => FIELD_NAMES[field] ?? field)
  return `${verb(isDone, 'Change', 'Changed')} the ${new Intl.ListFormat('en').format([...new Set(fields)])} of ${users}`
}

const FIELD_NAMES: Record<string, string> = {
  workspace_id: 'workspace',
  is_admin: 'admin rights',
  is_super_admin: 'super admin rights',
}
