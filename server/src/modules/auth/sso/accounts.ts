import type { AuditEvent } from '@watchdesk/contract/activity'
import type { SsoProblem } from '@watchdesk/contract/auth/session'
import { USER_DEFAULTS } from '@watchdesk/contract/users'
import { type Selectable, sql } from 'kysely'
import type { Identity } from '../../../adapters/oidc/oidc.ts'
import { endSignIns, isInUse, superAdminsWithAccess } from '../../../db/access.ts'
import { changesBetween } from '../../../db/audit.ts'
import { retriedTransaction } from '../../../db/deadlock.ts'
import { editedBy, isUniqueViolation, lockIfSuperAdmins, lockSuperAdmins, lockUser } from '../../../db/entity.ts'
import type { Trx } from '../../../db/open.ts'
import { exists } from '../../../db/read.ts'
import type { Tables } from '../../../db/tables.ts'
import type { SignInDeps } from '../../../deps.ts'
import type { Env } from '../../../env.ts'
import { liveWorkspace } from '../../users/facts.ts'
import { gainsGlobalAccess, hasAccess } from '../../users/rules.ts'
import { auditAccount } from '../audit-account.ts'
import { notify } from '../notices.ts'
import { removeCredentials } from '../second-factor/remove-credentials.ts'
import { countSecondFactors } from '../session/second-factors.ts'
import { FLAGS, namesFrom, type Role, roleFrom, verifiedEmail } from './person.ts'

type UserRow = Selectable<Tables['users']>
/** `note` is for the operator. */
type Outcome = { user_id: number; note?: string } | { problem: SsoProblem; note?: string }

const MAX_TRIES = 3

export async function identify({ db, env, passwords }: SignInDeps, identity: Identity, ip: string): Promise<Outcome> {
  // Hashing takes long, so it is not part of the transaction.
  const password_hash = await passwords.unknown()
  for (let tries = 1; ; tries += 1) {
    try {
      return await retriedTransaction(db, (trx) => identifyIn(trx, env, identity, { ip, password_hash }))
    } catch (error) {
      // Someone else added the user or the link since it was looked for.
      const isTaken = ['users_by_email', 'sso_accounts_pkey'].some((index) => isUniqueViolation(error, index))
      if (tries === MAX_TRIES || !isTaken) throw error
    }
  }
}

type Given = { ip: string; password_hash: string }

/** `password_hash` is of a password that nobody knows. */
function identifyIn(trx: Trx, env: Env, identity: Identity, { ip, password_hash }: Given): Promise<Outcome> {
  const { issuer, subject, claims } = identity
  const author = { id: null, name: 'Single sign-on', ip }
  const role = roleFrom(claims, env)
  return findUser()

  async function findUser(): Promise<Outcome> {
    const linked = await trx
      .selectFrom('sso_accounts')
      .innerJoin('users', 'users.id', 'sso_accounts.user_id')
      .select(['users.id', isDeleted])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst()
    if (linked && !linked.is_deleted) return signInAs(linked.id, { isNew: false })
    const email = verifiedEmail(identity)
    if (email === undefined) return { problem: linked ? 'no_account' : 'unverified_email' }
    const known = await trx
      .selectFrom('users')
      .select(['id', isDeleted])
      .where(sql`lower(email)`, '=', email.toLowerCase())
      // A deleted user only if there is no other.
      .orderBy('is_deleted')
      .limit(1)
      .executeTakeFirst()
    if (known && !known.is_deleted) return signInAs(known.id, { isNew: true })
    // Otherwise everyone who is deleted could come back.
    if (linked || known) return { problem: 'no_account', note: 'The user is deleted.' }
    return create(email)
  }

  async function create(email: string): Promise<Outcome> {
    const workspace_id = env.OIDC_NEW_USERS_WORKSPACE
    if (workspace_id === undefined) return { problem: 'no_account' }
    const isUsable = await isWorkspaceInUse(trx, workspace_id)
    if (isUsable === undefined)
      return { problem: 'no_account', note: 'The workspace OIDC_NEW_USERS_WORKSPACE does not exist.' }
    if (!isUsable) return { problem: 'deactivated' }
    const values = { ...USER_DEFAULTS, ...FLAGS[role ?? 'none'], ...namesFrom(claims, email), email, workspace_id }
    const user = await trx
      .insertInto('users')
      .values({ ...values, password_hash, has_password: false, updated_by: null })
      .returningAll()
      .executeTakeFirstOrThrow()
    const changes = changesBetween({}, values)
    await auditAccount(trx, author, user, { action: 'create', entity: 'user', version: 1, changes })
    await link(user)
    return hasAccess(user) ? { user_id: user.id } : { problem: 'no_access' }
  }

  /** The row stays locked until the commit, as for an edit by an admin. `isNew` is for someone who is not linked yet. */
  async function signInAs(id: number, { isNew }: { isNew: boolean }): Promise<Outcome> {
    if (role) await lockIfSuperAdmins(trx, sql`id = ${id}`)
    const user = await lockUser(trx, id)
    if (!user) return { problem: 'no_account', note: 'The user is deleted.' }
    if (isNew && (await isLinkedToAnother(id)))
      return { problem: 'no_account', note: 'The user with this email is linked to another subject.' }
    if (!(await isWorkspaceInUse(trx, user.workspace_id))) return { problem: 'deactivated' }
    // Nobody here has verified the email, so without a link, the provider decides nothing about the user.
    if (isNew && !hasAccess({ ...user, ...(role && FLAGS[role]) })) return { problem: 'no_access' }
    const { after, note } = role ? await changeRole(user, role) : { after: user }
    if (!hasAccess(after)) return { problem: 'no_access', note }
    // Someone who is a super admin already gets no more rights.
    if (isNew) await link(user, user.is_super_admin ? {} : await removeOthers(user))
    return { user_id: id, note }
  }

  /** The provider may have given the email to someone else. A sign-in at the same time may have linked this subject. */
  function isLinkedToAnother(id: number) {
    const others = sql`select from sso_accounts where issuer = ${issuer} and user_id = ${id} and subject <> ${subject}`
    return exists(trx, others)
  }

  /** Whoever set the password, such as an admin, would get what the provider allows the owner of the email. */
  async function removeOthers({ id }: UserRow) {
    const second_factors = await countSecondFactors(trx, id)
    const removed = await removeCredentials(trx, id, { password_hash, withTokens: true })
    const changes = { ...changesBetween({ second_factors }, { second_factors: 0 }), ...removed }
    if (Object.keys(changes).length > 0)
      await notify(trx, env, { whose: sql`users.id = ${id}`, kind: 'replaced_by_sso', actor: author })
    return changes
  }

  async function changeRole(user: UserRow, role: Role): Promise<{ after: UserRow; note?: string }> {
    const flags = FLAGS[role]
    const after = { ...user, ...flags }
    const changes = changesBetween(user, flags)
    if (Object.keys(changes).length === 0) return { after }
    if (user.is_super_admin && !after.is_super_admin) {
      await lockSuperAdmins(trx)
      if (!(await exists(trx, superAdminsWithAccess(trx).where('users.id', '!=', user.id))))
        return { after: user, note: 'The last super admin stays one, although the provider gives another role.' }
    }
    const set = { ...flags, ...editedBy(author) }
    await trx.updateTable('users').set(set).where('id', '=', user.id).execute()
    const ended = gainsGlobalAccess(user, after) ? await removeOthers(user) : {}
    const event = { action: 'update', entity: 'user', version: user.version + 1 } as const
    await auditAccount(trx, author, user, { ...event, changes: { ...changes, ...ended } })
    if (!hasAccess(after)) await endSignIns(trx, sql`users.id = ${user.id}`, { withTokens: true })
    return { after }
  }

  async function link(user: UserRow, ended: AuditEvent['changes'] = {}) {
    await sql`delete from sso_accounts using users where users.id = sso_accounts.user_id
      and issuer = ${issuer} and subject = ${subject} and users.deleted_at is not null`.execute(trx)
    await trx.insertInto('sso_accounts').values({ issuer, subject, user_id: user.id }).execute()
    const changes = { issuer: { before: null, after: issuer }, ...ended }
    await auditAccount(trx, author, user, { action: 'create', entity: 'sso_account', changes })
  }
}

const isDeleted = sql<boolean>`deleted_at is not null`.as('is_deleted')

/** Nobody can delete or deactivate it until the commit. */
async function isWorkspaceInUse(trx: Trx, id: number) {
  const workspace = await liveWorkspace(trx, id).select(isInUse.as('is_in_use')).forShare().executeTakeFirst()
  return workspace?.is_in_use
}
