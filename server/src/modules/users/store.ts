import { keysOf } from '@watchdesk/contract/list'
import {
  USER_DEFAULTS,
  type User,
  type UserCreate,
  type UserQuery,
  type UserUpdate,
  userList,
} from '@watchdesk/contract/users'
import { UserFields } from '@watchdesk/contract/users.schema'
import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { type Actor, requireRecentSignIn } from '../../actor.ts'
import { endedSignIns, endSignIns, requireSuperAdminWithout } from '../../db/access.ts'
import { type Author, audited, type Change, changesBetween, newId } from '../../db/audit.ts'
import { checkVersion, conflictIfTaken, editedBy } from '../../db/entity.ts'
import { isoTime } from '../../db/iso-time.ts'
import { listPage } from '../../db/list.ts'
import { endLinks } from '../../db/mail-queue.ts'
import type { Db, Trx } from '../../db/open.ts'
import { deleteRecord, restoreRecord } from '../../db/records.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { conflict, forbidden, found, invalid, refuse } from '../../problem.ts'
import { auditAccount } from '../auth/audit-account.ts'
import { invite } from '../auth/links/store.ts'
import { noticesOf, notify } from '../auth/notices.ts'
import { lockedUntil, unlock as unlockEmail, unlockSecondFactor } from '../auth/session/lockout.ts'
import { requirePasswordLogin } from '../auth/session/passwords.ts'
import { chosenColumns } from '../saved-views/store.ts'
import { createCredentials, notifyUser } from './credentials.ts'
import { lockedFacts, requireWorkspace } from './facts.ts'
import { conditionsOf, whereOf } from './filter.ts'
import { USER } from './record.ts'
import {
  effectOnSignIns,
  isDangerous,
  losesSuperAdmin,
  NO_FACTS,
  refusal,
  refusalTo,
  refusalToRestore,
  refusalWithoutRecentSignInFor,
  type UserVerb,
} from './rules.ts'

export function usersStore({ env, db, read, rights, passwords, lockout, mails }: Deps) {
  const credentials = createCredentials({ passwords, lockout, env })
  // Queries never change, so what all calls have in common is built once.
  const users = selectUsers(db)
  const withNotices = users.select([chosenColumns.as('columns'), noticesOf.as('notices')])
  const withLock = users.select(
    lockedUntil({ id: sql.ref('users.id'), email: sql.ref('users.email') }).as('locked_until'),
  )

  return { list, get, getCurrent, create, update, remove, restore, unlock, inviteAgain }

  function list(actor: Actor, query: UserQuery) {
    const lastSignIn = sql<string | null>`(select ${isoTime(sql`at`)} from sign_ins where sign_ins.user_id = users.id)`
    const isIncluded = query.include?.includes('last_sign_in_at') ?? false
    const listed = users.$if(isIncluded, (select) => select.select(lastSignIn.as('last_sign_in_at')))
    return listPage(read, {
      table: 'users',
      options: userList,
      query,
      filters: conditionsOf(actor, query),
      rows: (id) => listed.where('users.id', '=', id),
    })
  }

  async function get(actor: Actor, id: number) {
    const [row] = await read(oneOf(withLock, actor, id))
    if (!row) return undefined
    const { locked_until, ...user } = row
    return locked_until === null ? user : { ...user, locked_until }
  }

  async function getCurrent(actor: Actor) {
    const [user] = await read(oneOf(withNotices, actor, actor.id))
    return { ...found(user, 'User'), password_login: env.PASSWORD_LOGIN === 'on' }
  }

  async function create(actor: Actor, body: UserCreate, consoleAddress: string) {
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
      await requireWorkspace(trx, values.workspace_id, { isLocked: true })
      const user = await insertUser(trx, actor, values, { password_hash, has_password })
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
      // Nobody but super admins may move users, so that only they wait for the workspace.
      const mayMove = actor.seesEverything && after.workspace_id !== current.workspace_id
      const facts = mayMove ? await lockedFacts(trx, { workspace_id: after.workspace_id }) : NO_FACTS
      refuse(refusal(actor, current, after, facts))
      if (isDangerous(actor, current, after)) requireRecentSignIn(actor)
      if (losesSuperAdmin(current, after, facts))
        await requireSuperAdminWithout(trx, sql`users.id = ${id}`, LAST_SUPER_ADMIN)
      return { current, lost: effectOnSignIns(current, after, facts) }
    }
    // Hashing is slow, so it happens before the transaction, and only for a change that the rules allow.
    const load = async () => (await rights.writeUser(actor, target, checkTarget)).current
    const ready = await credentials.prepare(actor, id, body, load)
    const { password_hash } = ready
    const updated = rights.writeUser(actor, target, async (trx, row) => {
      const { current, lost } = await checkTarget(trx, row)
      credentials.checkConfirmed(actor, current, body, ready)
      const changes = changesBetween(current, password === undefined ? fields : { ...fields, password })
      // Not scoped: a user who may make a change may see its result.
      if (Object.keys(changes).length === 0)
        return selectUsers(trx).where('users.id', '=', id).executeTakeFirstOrThrow()
      if (password_hash !== undefined || lost) {
        const isOwn = actor.id === id
        const losesAccess = lost === 'loses access'
        // Someone who knew the former password may have created a token with it.
        const withTokens = losesAccess || !isOwn
        const withLinks = password_hash !== undefined || losesAccess
        const kept = actor.token_hash
        const ended = await endSignIns(trx, sql`users.id = ${id}`, { kept, withTokens, withLinks })
        Object.assign(changes, endedSignIns(ended, isOwn ? 1 : 0))
      }
      if (password_hash) await unlockEmail(trx, current.email)
      // A link may have been sent to the former email.
      if (changes.email) await endLinks(trx, sql`users.id = ${id}`)
      await notifyUser(trx, env, actor, current, changes)
      const set = { ...fields, ...(password_hash && { password_hash, has_password: true }), ...editedBy(actor) }
      const record = recordOf({ ...current, ...fields }, current.version + 1)
      const event = { action, entity: 'user', entity_id: id, record, changes } as const
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

  function act<Result>(verb: UserVerb, actor: Actor, id: number, work: Work<Result>, ifMatch?: string) {
    return rights.writeUser(actor, { id, mayLoseSuperAdmin: verb === 'delete' }, async (trx, row) => {
      const user = requireLiveUser(actor, row)
      await checkVersion(trx, 'user', user, ifMatch)
      refuse(refusalTo(verb, actor, user) ?? refusalWithoutRecentSignInFor(actor, user))
      return work(trx, user)
    })
  }

  function remove(actor: Actor, id: number, ifMatch?: string) {
    const removal: Work<void> = async (trx, user) => {
      if (user.is_super_admin) await requireSuperAdminWithout(trx, sql`users.id = ${id}`, LAST_SUPER_ADMIN)
      const ended = await endSignIns(trx, sql`users.id = ${id}`, { withTokens: true })
      const record = { id, ...recordOf(user), version: user.version }
      await deleteRecord(trx, actor, USER, record, endedSignIns(ended))
    }
    return act('delete', actor, id, removal, ifMatch)
  }

  async function restore(actor: Actor, id: number, { email, parent_id }: { email?: string; parent_id?: number } = {}) {
    const fields = email === undefined ? {} : { email }
    const restored = rights.writeUser(actor, { id }, async (trx, row) => {
      const deleted = found(row?.deleted_at ? row : undefined, 'Deleted user')
      const wanted = { ...deleted, ...fields }
      const facts = await lockedFacts(trx, wanted)
      const why = refusalToRestore(actor, wanted, facts)
      if (why) throw why.reason === 'super_admins_only' ? forbidden(why.text) : conflict(why.text)
      refuse(refusalWithoutRecentSignInFor(actor, deleted))
      const changes = changesBetween(deleted, fields)
      if (changes.email) await notify(trx, env, { whose: sql`users.id = ${id}`, kind: 'email_changed', actor })
      if (email !== undefined) await trx.updateTable('users').set({ email }).where('id', '=', id).execute()
      const record = { id, ...recordOf(wanted), version: deleted.version }
      await restoreRecord(trx, actor, USER, record, { parent_id, changes })
      return await oneOf(selectUsers(trx), actor, id).executeTakeFirstOrThrow()
    })
    const user = await restored.catch(asConflict)
    if (email !== undefined) mails.wake()
    return user
  }

  async function inviteAgain(actor: Actor, id: number, consoleAddress: string) {
    requirePasswordLogin(env)
    const invitation = await act('invite', actor, id, (trx, user) => invite(trx, env, actor, user, consoleAddress))
    mails.wake()
    return invitation
  }

  function unlock(actor: Actor, id: number) {
    return act('unlock', actor, id, async (trx, user) => {
      await unlockEmail(trx, user.email)
      await unlockSecondFactor(trx, id)
      await auditAccount(trx, actor, user, { action: 'unlock', entity: 'user', changes: {} })
    })
  }
}

type Work<Result> = (trx: Trx, user: UserRow) => Promise<Result>

type UserRow = Selectable<Tables['users']>

function recordOf(user: Pick<UserRow, 'first_name' | 'last_name' | 'email' | 'workspace_id'>, version?: number) {
  const { first_name, last_name, email, workspace_id } = user
  return { name: `${first_name} ${last_name}`, detail: email, workspace_id, version }
}

type Hashed = Pick<Insertable<Tables['users']>, 'password_hash' | 'has_password'>
type NewUser = Omit<Insertable<Tables['users']>, keyof Hashed | 'updated_by'>

export function insertUser(trx: Trx, author: Author, values: NewUser, hashed: Hashed) {
  const record = recordOf(values, 1)
  const changes = changesBetween({}, values)
  const event = { action: 'create', entity: 'user', entity_id: newId('users'), record, changes } as const
  const row = { ...values, ...hashed, updated_by: author.id }
  const inserted = trx
    .with('users', (query) => query.insertInto('users').values(row).returningAll())
    .with('audited', audited(author, event))
  return selectUsers(inserted).executeTakeFirstOrThrow()
}

export function requireLiveUser(actor: Actor, user: UserRow | undefined) {
  const isSeen = actor.seesEverything || user?.workspace_id === actor.workspace_id
  return found(isSeen && user?.deleted_at === null ? user : undefined, 'User')
}

const asConflict = conflictIfTaken('users_by_email', 'A user with this email already exists.')

function oneOf<Row>(users: SelectQueryBuilder<Tables, 'users' | 'workspaces', Row>, actor: Actor, id: number) {
  return users.where('users.id', '=', id).where(whereOf(actor, {}))
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

const LAST_SUPER_ADMIN = 'This is the last super admin. Make another user a super admin first.'
