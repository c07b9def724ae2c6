import type { UserUpdate } from '@watchdesk/contract/users'
import type { Actor } from '../../actor.ts'
import { superAdminsWithAccess } from '../../db/access.ts'
import { lockSuperAdmins } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import { requireRecentSignIn, tokenRefused } from '../../plugins/auth.ts'
import { conflict, forbidden, invalid } from '../../problem.ts'

type Account = {
  id: number
  workspace_id: number
  email: string
  is_admin: boolean
  is_super_admin: boolean
  is_auditor?: boolean
}

type NewAccount = Pick<Account, 'workspace_id' | 'is_super_admin' | 'is_auditor'> & { is_admin?: boolean }

export function checkCreate(actor: Actor, user: NewAccount) {
  if (!actor.is_super_admin) {
    if (user.is_super_admin) throw forbidden('Only super admins can make someone a super admin.')
    if (user.is_auditor) throw forbidden('Only super admins can make someone an auditor.')
    if (user.workspace_id !== actor.workspace_id) throw forbidden('You can only add users to your own workspace.')
  }
  checkAuditor(user)
  if (user.is_super_admin || user.is_auditor) requireRecentSignIn(actor)
}

export function checkRestore(actor: Actor, user: Account & { deleted_by_super_admin: boolean }) {
  checkCreate(actor, user)
  if (user.deleted_by_super_admin && !actor.is_super_admin)
    throw forbidden('This user was deleted by a super admin. Only a super admin can restore it.')
}

export async function checkUpdate(trx: Trx, actor: Actor, current: Account, changes: UserUpdate) {
  const after = { ...current, ...changes }
  if (!actor.is_super_admin) {
    // Changing a super admin's password or email would be enough to sign in as that super admin.
    if (current.is_super_admin) throw forbidden('Only super admins can change a super admin.')
    if (after.is_super_admin) throw forbidden('Only super admins can make someone a super admin.')
    if (current.is_auditor || after.is_auditor) throw forbidden('Only super admins can change an auditor.')
    if (after.workspace_id !== current.workspace_id)
      throw forbidden('Only super admins can move users to another workspace.')
  }
  checkAuditor(after)
  const losesSuperAdmin = current.is_super_admin && !after.is_super_admin
  const losesAccess = hasAccess(current) && !hasAccess(after)
  if (current.id === actor.id && (losesSuperAdmin || losesAccess))
    throw conflict('You cannot remove your own admin rights. Ask another admin to do it.')
  if (isDangerous(actor, current, after)) requireRecentSignIn(actor)
  if (losesSuperAdmin) await keepOneSuperAdmin(trx, current.id)
}

export async function checkRemove(trx: Trx, actor: Actor, current: Account) {
  if (current.id === actor.id) throw conflict('You cannot delete your own account. Ask another admin to do it.')
  if (current.is_auditor && !actor.is_super_admin) throw forbidden('Only super admins can delete an auditor.')
  if (current.is_super_admin && !actor.is_super_admin) throw forbidden('Only super admins can delete a super admin.')
  checkPowerful(actor, current)
  if (current.is_super_admin) await keepOneSuperAdmin(trx, current.id)
}

/** A user who is moved to a deactivated workspace loses all access. */
export async function checkDeactivatedHome(trx: Trx, actor: Actor, current: Account) {
  if (current.id === actor.id) throw conflict('This workspace is deactivated. You could not sign in there any more.')
  if (current.is_super_admin) await keepOneSuperAdmin(trx, current.id)
}

/** A link to choose a password is enough to sign in as the user, unless they have a second factor. */
export function checkInvite(actor: Actor, current: Account) {
  if (current.id === actor.id) throw conflict('You cannot invite yourself. Change your password in your account.')
  if (actor.is_super_admin) return
  if (current.is_super_admin) throw forbidden('Only super admins can invite a super admin.')
  if (current.is_auditor) throw forbidden('Only super admins can invite an auditor.')
}

export function checkUnlock(actor: Actor, current: Account) {
  // Otherwise a hijacked session could be used to guess its password without limit.
  if (current.id === actor.id) throw forbidden('Only another admin can unlock your account.')
  if (current.is_super_admin && !actor.is_super_admin) throw forbidden('Only super admins can unlock a super admin.')
  if (current.is_auditor && !actor.is_super_admin) throw forbidden('Only super admins can unlock an auditor.')
  checkPowerful(actor, current)
}

/** Those who see everything are looked after by super admins only. Auditors see how they sign in. */
export function checkAccess(actor: Actor, current: Account) {
  if (actor.is_super_admin) return
  if (current.is_super_admin || current.is_auditor)
    throw forbidden('Only super admins can manage how super admins and auditors sign in.')
}

/** For what ends sessions, tokens and second factors: a stolen token must not be able to lock out those who could end it. */
export function checkEnding(actor: Actor, current: Account) {
  checkAccess(actor, current)
  if (current.id !== actor.id) checkPowerful(actor, current)
  else if (actor.credential === 'api_tokens') throw tokenRefused()
}

/** What lets others sign in as someone who sees everything, or signs them out, needs a recent sign-in. */
export function checkPowerful(actor: Actor, user: GlobalRoles) {
  if (user.is_super_admin || user.is_auditor) requireRecentSignIn(actor)
}

/**
 * Whether a change makes or unmakes somebody who sees everything, or would be enough to sign in as them or to lock them out.
 * Their own password and email need a proof of their own: see `credentials.ts`.
 */
function isDangerous(actor: Actor, current: Account, after: Account & { password?: string | undefined }) {
  if (current.is_super_admin !== after.is_super_admin) return true
  if ((current.is_auditor ?? false) !== (after.is_auditor ?? false)) return true
  const changesSignIn = after.password !== undefined || after.email !== current.email
  // The other workspace may be deactivated soon.
  const isMoved = after.workspace_id !== current.workspace_id
  const isOwn = actor.id === current.id && actor.credential === 'sessions'
  return (current.is_super_admin || current.is_auditor === true) && (changesSignIn || isMoved) && !isOwn
}

async function keepOneSuperAdmin(trx: Trx, id: number) {
  await lockSuperAdmins(trx)
  const other = await superAdminsWithAccess(trx).where('users.id', '!=', id).limit(1).executeTakeFirst()
  if (!other) throw conflict('This is the last super admin. Make another user a super admin first.')
}

export function hasAccess(user: Pick<Account, 'is_admin' | 'is_super_admin' | 'is_auditor'>) {
  return user.is_admin || user.is_super_admin || user.is_auditor === true
}

/** Someone else who could sign in as the user before must not get the new rights. */
export function gainsGlobalAccess(before: GlobalRoles, after: GlobalRoles) {
  return levelOf(after) > levelOf(before)
}

type GlobalRoles = Pick<Account, 'is_super_admin' | 'is_auditor'>

function levelOf({ is_super_admin, is_auditor }: GlobalRoles) {
  if (is_super_admin) return 2
  return is_auditor ? 1 : 0
}

/** An auditor who manages users would change something. */
function checkAuditor(user: Pick<Account, 'is_super_admin' | 'is_auditor'> & { is_admin?: boolean }) {
  if (user.is_auditor && (user.is_admin || user.is_super_admin))
    throw invalid('is_auditor', 'An auditor cannot be an admin too. Turn off the admin rights first.')
}
