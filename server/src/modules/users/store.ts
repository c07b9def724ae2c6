import type { AuditEvent } from '@watchdesk/contract/activity'
import type { CurrentUser } from '@watchdesk/contract/auth/session'
import { keysOf } from '@watchdesk/contract/list'
import {
  type CreatedUser,
  type Invitation,
  USER_DEFAULTS,
  type User,
  type UserCreate,
  type UserDetails,
  type UserQuery,
  type UserUpdate,
  userList,
} from '@watchdesk/contract/users'
import { UserFields } from '@watchdesk/contract/users.schema'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { type Actor, requireRecentSignIn } from '../../actor.ts'
import { endedSignIns, endSignIns, requireSuperAdminWithout } from '../../db/access.ts'
import { audit, audited, type Change, changesBetween, newId } from '../../db/audit.ts'
import { checkVersion, editedBy, isUniqueViolation } from '../../db/entity.ts'
import { isoTime } from '../../db/iso-time.ts'
import { listPage } from '../../db/list.ts'
import type { Db, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { deleteRecord, restoreRecord } from '../../db/records.ts'
import { type Scope, scopeOf } from '../../db/scope.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { conflict, forbidden, found, invalid, refuse } from '../../problem.ts'
import { invite } from '../auth/links/invite.ts'
import { endLinks } from '../auth/links/store.ts'
import { noticesOf, notify } from '../auth/notices.ts'
import { lockedUntil, unlock as unlockEmail, unlockSecondFactor } from '../auth/session/lockout.ts'
import { requirePasswordLogin } from '../auth/session/passwords.ts'
import { chosenColumns } from '../saved-views/store.ts'
import { createCredentials } from './credentials.ts'
import { factsOf } from './facts.ts'
import { conditionsOf } from './filter.ts'
import { USER } from './record.ts'
import {
  effectOnSignIns,
  isDangerous,
  losesSuperAdmin,
  NO_FACTS,
  refusal,
  refusalToInvite,
  refusalToRestore,
  refusalToUnlock,
  refusalWithoutRecentSignInFor,
} from './rules.ts'
import { tellUser } from './tell-user.ts'

type StoreDeps = Pick<Deps, 'env' | 'db' | 'read' | 'rights' | 'passwords' | 'lockout' | 'mails'>

export function usersStore({ env, db, read, rights, passwords, lockout, mails }: StoreDeps) {
  const credentials = createCredentials(passwords, lockout, env)
  // Queries never change, so what all calls have in common is built once.
  const users = selectUsers(db)
  const withNotices = users.select([chosenColumns.as('columns'), noticesOf.as('notices')])
  const withLock = users.select(
    lockedUntil({ id: sql.ref('users.id'), email: sql.ref('users.email') }).as('locked_until'),
  )

  return { list, get, getCurrent, getDetails, create, update, remove, restore, unlock, inviteAgain }

  function list(actor: Actor, query: UserQuery) {
    return listPage(read, {
      table: 'users',
      options: userList,
      query,
      filters: conditionsOf(actor, query),
      rows: (id) => selectListed(users, query.include).where('users.id', '=', id),
    })
  }

  async function get(actor: Actor, id: number): Promise<User | undefined> {
    const [user] = await read(oneOf(users, scopeOf(actor, id)))
    return user
  }

  async function getCurrent(actor: Actor): Promise<CurrentUser> {
    const [user] = await read(oneOf(withNotices, scopeOf(actor, actor.id)))
    return { ...found(user, 'User'), password_login: env.PASSWORD_LOGIN === 'on' }
  }

  async function getDetails(actor: Actor, id: number): Promise<UserDetails> {
    const [row] = await read(oneOf(withLock, scopeOf(actor, id)))
    const { locked_until, ...user } = found(row, 'User')
    return locked_until === null ? user : { ...user, locked_until }
  }

  async function create(actor: Actor, body: UserCreate, consoleAddress: string): Promise<CreatedUser> {
    const { password, invite: isInvited, ...fields } = body
    if (isInvited || password !== undefined) requirePasswordLogin(env)
    // Where nobody signs in with a password, new users need none.
    else if (env.PASSWORD_LOGIN === 'on') throw invalid('password', 'Password is required!')
    const values = { ...USER_DEFAULTS, ...fields }
    refuse(refusal(actor, null, values, NO_FACTS) ?? refusalWithoutRecentSignInFor(actor, values))
    const has_password = password !== undefined
    const password_hash = has_password
      ? await passwords.change(actor.id, () => passwords.hash(password, values))
      : await passwords.unknown()
    const created = rights.write(actor, async (trx) => {
      await requireWorkspace(trx, values.workspace_id)
      const changes = changesBetween({}, values)
      const inserted = trx
        .with('users', (query) =>
          query
            .insertInto('users')
            .values({ ...values, password_hash, has_password, updated_by: actor.id })
            .returningAll(),
        )
        .with(
          'audited',
          audited(actor, {
            action: 'create',
            entity: 'user',
            entity_id: newId('users'),
            record: recordOf(values, 1),
            changes,
          }),
        )
      const user = await selectUsers(inserted).executeTakeFirstOrThrow()
      if (!isInvited) return user
      return { ...user, invitation: await invite(trx, env, actor, { ...user, has_password }, consoleAddress) }
    })
    const user = await created.catch(asConflict)
    if (isInvited) mails.wake()
    return user
  }

  async function update(actor: Actor, id: number, body: UserUpdate, ifMatch?: string, action: Change = 'update') {
    const { password, current_password: _, ...fields } = body
    if (password !== undefined) requirePasswordLogin(env)
    // A super admin without access counts as none, and the other workspace may be deactivated.
    const target = { id, mayLoseSuperAdmin: fields.is_super_admin === false || fields.workspace_id !== undefined }
    const checkTarget = async (trx: Trx, row: UserRow | undefined) => {
      const current = requireLiveUser(actor, row)
      await checkVersion(trx, 'user', current, ifMatch)
      const after = { ...current, ...body }
      const facts = await factsOfHome(trx, actor, current, after)
      refuse(refusal(actor, current, after, facts))
      if (isDangerous(actor, current, after)) requireRecentSignIn(actor)
      const lost = effectOnSignIns(current, after, facts)
      if (losesSuperAdmin(current, after) || (current.is_super_admin && lost === 'loses access'))
        await requireOtherSuperAdmin(trx, id)
      return { current, lost }
    }
    // Hashing is slow, so it happens before the transaction, and only for a change that the rules allow.
    const ready = await credentials.prepare(
      actor,
      id,
      body,
      async () => (await rights.writeUser(actor, target, checkTarget)).current,
    )
    const { password_hash } = ready
    const updated = rights.writeUser(actor, target, async (trx, row) => {
      const { current, lost } = await checkTarget(trx, row)
      credentials.checkConfirmed(actor, current, body, ready)
      const changes = changesBetween(current, password === undefined ? fields : { ...fields, password })
      // Not scoped: a user who may make a change may see its result.
      if (Object.keys(changes).length === 0)
        return selectUsers(trx).where('users.id', '=', id).executeTakeFirstOrThrow()
      const losesAccess = lost === 'loses access'
      // Someone who knew the former password may have created a token with it.
      const withTokens = losesAccess || actor.id !== id
      const withLinks = password_hash !== undefined || losesAccess
      const isSignedOut = withLinks || lost === 'sees everything'
      const ended = isSignedOut ? await revokeSessions(trx, id, actor, { withTokens, withLinks }) : {}
      if (password_hash) await unlockEmail(trx, current.email)
      // A link may have been sent to the former email.
      if (changes.email) await endLinks(trx, id)
      const changed = { password: password_hash !== undefined, email: 'email' in changes, tokens: 'tokens' in ended }
      await tellUser(trx, env, actor, current, changed)
      const set = { ...fields, ...(password_hash && { password_hash, has_password: true }), ...editedBy(actor) }
      const record = recordOf({ ...current, ...fields }, current.version + 1)
      const event = { action, entity: 'user', entity_id: id, record, changes: { ...changes, ...ended } } as const
      const edited = trx
        .with('audited', audited(actor, event))
        .with('users', (query) => query.updateTable('users').set(set).where('id', '=', id).returningAll())
      // Awaited here so that the stack of an error in the log has this line.
      return await selectUsers(edited).executeTakeFirstOrThrow()
    })
    const user = await updated.catch(asConflict)
    mails.wake()
    return user
  }

  async function remove(actor: Actor, id: number, ifMatch?: string) {
    await rights.writeUser(actor, { id, mayLoseSuperAdmin: true }, async (trx, row) => {
      const current = requireLiveUser(actor, row)
      await checkVersion(trx, 'user', current, ifMatch)
      refuse(refusal(actor, current, null, NO_FACTS) ?? refusalWithoutRecentSignInFor(actor, current))
      if (current.is_super_admin) await requireOtherSuperAdmin(trx, id)
      const ended = await revokeSessions(trx, id, actor, { withTokens: true })
      const { version } = current
      await deleteRecord(trx, actor, USER, { id, ...recordOf(current), version }, ended)
    })
  }

  async function restore(actor: Actor, id: number, { email, parent_id }: Restoring = {}) {
    const fields = email === undefined ? {} : { email }
    const restored = rights.writeUser(actor, { id }, async (trx, row) => {
      const deleted = found(row?.deleted_at && isInScope(actor, row) ? row : undefined, 'Deleted user')
      await liveWorkspace(trx, deleted.workspace_id)
      const wanted = { ...deleted, ...fields }
      const facts = await factsOf((query) => rowsOf(trx, query), {
        workspace_ids: [deleted.workspace_id],
        emails: [wanted.email],
      })
      const why = refusalToRestore(actor, wanted, facts)
      if (why) throw why.reason === 'super_admins_only' ? forbidden(why.text) : conflict(why.text)
      refuse(refusalWithoutRecentSignInFor(actor, deleted))
      const changes = changesBetween(deleted, fields)
      if (changes.email) await notify(trx, env, { user_id: id, kind: 'email_changed', actor })
      if (email !== undefined) await trx.updateTable('users').set({ email }).where('id', '=', id).execute()
      const record = { id, ...recordOf(wanted), version: deleted.version }
      await restoreRecord(trx, actor, USER, record, { parent_id, changes })
      return await oneOf(selectUsers(trx), scopeOf(actor, id)).executeTakeFirstOrThrow()
    })
    const user = await restored.catch(asConflict)
    if (email !== undefined) mails.wake()
    return user
  }

  async function inviteAgain(actor: Actor, id: number, consoleAddress: string): Promise<Invitation> {
    requirePasswordLogin(env)
    const invitation = await rights.writeUser(actor, { id }, (trx, row) => {
      const current = requireLiveUser(actor, row)
      refuse(refusalToInvite(actor, current) ?? refusalWithoutRecentSignInFor(actor, current))
      return invite(trx, env, actor, current, consoleAddress)
    })
    mails.wake()
    return invitation
  }

  async function unlock(actor: Actor, id: number) {
    await rights.writeUser(actor, { id }, async (trx, row) => {
      const current = requireLiveUser(actor, row)
      refuse(refusalToUnlock(actor, current) ?? refusalWithoutRecentSignInFor(actor, current))
      await unlockEmail(trx, current.email)
      await unlockSecondFactor(trx, id)
      await audit(trx, actor, {
        action: 'unlock',
        entity: 'user',
        entity_id: id,
        record: recordOf(current),
        changes: {},
      })
    })
  }
}

/** Another email for the user, and the event that the restore is a part of. */
type Restoring = { email?: string; parent_id?: number }

type UserRow = Selectable<Tables['users']>

/** For the audit log. */
export function recordOf(user: RecordedUser, version?: number) {
  const { first_name, last_name, email, workspace_id } = user
  return { name: `${first_name} ${last_name}`, detail: email, workspace_id, version }
}

type RecordedUser = Pick<UserRow, 'first_name' | 'last_name' | 'email' | 'workspace_id'>

function isInScope(actor: Actor, user: UserRow) {
  return actor.seesEverything || user.workspace_id === actor.workspace_id
}

/** The user, unless it is deleted or in a workspace that the caller does not see. */
export function requireLiveUser(actor: Actor, user: UserRow | undefined) {
  return found(user && user.deleted_at === null && isInScope(actor, user) ? user : undefined, 'User')
}

function asConflict(error: unknown): never {
  if (isUniqueViolation(error, 'users_by_email')) throw conflict('A user with this email already exists.')
  throw error
}

function oneOf<Row>(users: SelectQueryBuilder<Tables, 'users' | 'workspaces', Row>, scope: Scope) {
  const user = users.where('users.id', '=', scope.id).where('users.deleted_at', 'is', null)
  return 'workspace_id' in scope ? user.where('users.workspace_id', '=', scope.workspace_id) : user
}

const FIELDS = keysOf(UserFields.shape).map((field) => `users.${field}` as const)

/** Selects from the table, or from a CTE of the same name. */
function selectUsers(db: Pick<Db, 'selectFrom'>) {
  return db
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select([
      'users.id',
      ...FIELDS,
      'users.version',
      sql<User['workspace']>`json_build_object('name', workspaces.name)`.as('workspace'),
    ])
}

/** With the computed fields that are asked for. */
function selectListed(users: ReturnType<typeof selectUsers>, include: UserQuery['include'] = []) {
  const lastSignIn = sql<string | null>`(select ${isoTime(sql`at`)} from sign_ins where sign_ins.user_id = users.id)`
  return users.$if(include.includes('last_sign_in_at'), (query) => query.select(lastSignIn.as('last_sign_in_at')))
}

/** Nobody but super admins may move users, so that only they wait for the workspace. A deleted one does not exist for them. */
async function factsOfHome(trx: Trx, actor: Actor, current: UserRow, { workspace_id }: Pick<UserRow, 'workspace_id'>) {
  const isMoved = actor.seesEverything && workspace_id !== current.workspace_id
  const home = isMoved ? await liveWorkspace(trx, workspace_id) : undefined
  if (!home) return NO_FACTS
  const known = { name: home.name, isDeleted: false, isDeactivated: home.status === 'DEACTIVATED' }
  return { ...NO_FACTS, workspaces: new Map([[workspace_id, known]]) }
}

function requireOtherSuperAdmin(trx: Trx, id: number) {
  return requireSuperAdminWithout(
    trx,
    sql`users.id = ${id}`,
    'This is the last super admin. Make another user a super admin first.',
  )
}

/** Locks the workspace, so that it cannot be deleted or deactivated before the user is saved. */
function liveWorkspace(trx: Trx, id: number) {
  return trx
    .selectFrom('workspaces')
    .select(['name', 'status'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

export async function requireWorkspace(trx: Trx, id: number) {
  if (!(await liveWorkspace(trx, id))) throw workspaceNotFound(id)
}

export function workspaceNotFound(id: number) {
  return invalid('workspace_id', `Workspace ${id} does not exist.`)
}

/** Keeps the session in which users change their own account. Returns how many sessions ended, for the event. */
async function revokeSessions(
  trx: Trx,
  user_id: number,
  { id, token_hash }: Actor,
  options: { withTokens: boolean; withLinks?: boolean },
): Promise<AuditEvent['changes']> {
  const ended = await endSignIns(trx, sql`users.id = ${user_id}`, { kept: token_hash, ...options })
  return endedSignIns(ended, id === user_id ? 1 : 0)
}
