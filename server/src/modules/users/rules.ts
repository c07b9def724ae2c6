import { type Actor, refusalWithoutRecentSignIn, tokenRefused } from '../../actor.ts'
import { conflict, forbidden, invalid, Problem } from '../../problem.ts'
import type { BinProblem } from '../activity/record-kind.ts'
import type { Facts } from './facts.ts'

/** Who may do what with users, and what they may be. Each rule returns why not, so that edits and previews ask the same. */
export type Account = NewAccount & { id: number }
export type NewAccount = Roles & { workspace_id: number; email?: string; is_admin?: boolean }
export type DeletedAccount = Account & { deleted_by_super_admin: boolean; email: string }
type Edited = NewAccount & { password?: string | undefined }
type Roles = { is_super_admin: boolean; is_auditor?: boolean }

export const NO_FACTS: Facts = { workspaces: new Map(), holders: new Map() }

/** `before` is null for a new user, `after` for one who is deleted. */
export function refusal(actor: Actor, before: Account | null, after: NewAccount | null, facts: Facts) {
  if (after === null) return before ? refusalTo('delete', actor, before) : undefined
  if (before === null) return refusalToAdd(actor, after)
  if (!actor.seesEverything) {
    // Changing a super admin's password or email would be enough to sign in as that super admin.
    if (before.is_super_admin) return forbidden('Only super admins can change a super admin.')
    if (after.is_super_admin) return forbidden('Only super admins can make someone a super admin.')
    if (before.is_auditor || after.is_auditor) return forbidden('Only super admins can change an auditor.')
    if (after.workspace_id !== before.workspace_id)
      return forbidden('Only super admins can move users to another workspace.')
  }
  const isSelf = before.id === actor.id
  const isDemoted = before.is_super_admin && !after.is_super_admin
  if (isSelf && (isDemoted || (hasAccess(before) && !hasAccess(after))))
    return conflict('You cannot remove your own admin rights. Ask another admin to do it.')
  return (
    refusalOfRoles(after) ??
    refusalOfHome(isSelf, before, after, facts) ??
    refusalOfEmail(actor, after, before.id, facts)
  )
}

/** In the words of the bin, which lists those that cannot be restored. */
export function refusalToRestore(actor: Actor, user: DeletedAccount, facts: Facts): BinProblem | undefined {
  if (!actor.seesEverything && (user.deleted_by_super_admin || refusalToAdd(actor, user)))
    return { reason: 'super_admins_only', text: 'Only a super admin can restore this user.', taken_by: null }
  if (facts.workspaces.get(user.workspace_id)?.isDeleted !== false) {
    const text = 'Their workspace is deleted. Restore the workspace first.'
    return { reason: 'workspace_deleted', text, taken_by: null }
  }
  const holder = facts.holders.get(user.email.toLowerCase())
  if (!holder) return undefined
  const taken_by = isVisible(actor, holder) ? { id: holder.id, name: holder.name } : null
  const text = `${taken_by?.name ?? 'Another user'} now has the email ${user.email}.`
  return { reason: 'email_taken', text, taken_by }
}

function refusalToAdd(actor: Actor, user: NewAccount) {
  if (!actor.seesEverything) {
    if (user.is_super_admin) return forbidden('Only super admins can make someone a super admin.')
    if (user.is_auditor) return forbidden('Only super admins can make someone an auditor.')
    if (user.workspace_id !== actor.workspace_id) return forbidden('You can only add users to your own workspace.')
  }
  return refusalOfRoles(user)
}

const NOT_YOURSELF = {
  delete: [409, 'You cannot delete your own account. Ask another admin to do it.'],
  // Otherwise a hijacked session could be used to guess its password without limit.
  unlock: [403, 'Only another admin can unlock your account.'],
  // A link to choose a password is enough to sign in as the user, unless they have a second factor.
  invite: [409, 'You cannot invite yourself. Change your password in your account.'],
} as const

export type UserVerb = keyof typeof NOT_YOURSELF

export function refusalTo(verb: UserVerb, actor: Actor, user: Account) {
  const [status, text] = NOT_YOURSELF[verb]
  if (user.id === actor.id) return new Problem(status, text)
  if (actor.seesEverything) return undefined
  if (user.is_super_admin) return forbidden(`Only super admins can ${verb} a super admin.`)
  return user.is_auditor ? forbidden(`Only super admins can ${verb} an auditor.`) : undefined
}

export function refusalToManageSignIns(actor: Actor, user: Roles) {
  if (actor.seesEverything || !isPrivileged(user)) return undefined
  return forbidden('Only super admins can manage how super admins and auditors sign in.')
}

/** A stolen token must not be able to lock out those who could end it. */
export function refusalToEndSignIns(actor: Actor, user: Account) {
  const why = refusalToManageSignIns(actor, user)
  if (why) return why
  if (user.id !== actor.id) return refusalWithoutRecentSignInFor(actor, user)
  return actor.credential === 'token' ? tokenRefused() : undefined
}

/** What lets others sign in as someone who sees everything, or signs them out, needs a recent sign-in. */
export function refusalWithoutRecentSignInFor(actor: Actor, user: Roles) {
  return isPrivileged(user) ? refusalWithoutRecentSignIn(actor) : undefined
}

/** Whether a change makes or unmakes someone who sees everything, or is enough to sign in as them or lock them out. */
export function isDangerous(actor: Actor, before: Account | null, after: Edited | null) {
  if (before === null || after === null) return isPrivileged(after ?? before ?? { is_super_admin: false })
  if (levelOf(before) !== levelOf(after)) return true
  // The other workspace may be deactivated soon.
  const isMoved = after.workspace_id !== before.workspace_id
  // Their own password and email need another proof: see `credentials.ts`.
  const isOwn = actor.id === before.id && actor.credential === 'session'
  return isPrivileged(before) && (changesSignIn(before, after) || isMoved) && !isOwn
}

export function changesSignIn(before: Account, after: Edited) {
  return after.password !== undefined || after.email !== before.email
}

export function effectOnSignIns(before: Account, after: NewAccount, facts: Facts) {
  const isMoved = after.workspace_id !== before.workspace_id
  const isDeactivated = isMoved && facts.workspaces.get(after.workspace_id)?.isDeactivated === true
  if (hasAccess(before) && (isDeactivated || !hasAccess(after))) return 'loses access'
  // Someone else who could sign in as the user before must not get the new rights.
  return gainsGlobalAccess(before, after) ? 'sees everything' : undefined
}

export function losesSuperAdmin(before: Account, after: NewAccount, facts: Facts) {
  return before.is_super_admin && (!after.is_super_admin || effectOnSignIns(before, after, facts) === 'loses access')
}

export function hasAccess(user: Roles & { is_admin?: boolean }) {
  return user.is_admin === true || isPrivileged(user)
}

export function gainsGlobalAccess(before: Roles, after: Roles) {
  return levelOf(after) > levelOf(before)
}

function levelOf({ is_super_admin, is_auditor }: Roles) {
  if (is_super_admin) return 2
  return is_auditor ? 1 : 0
}

function isPrivileged(user: Roles) {
  return levelOf(user) > 0
}

function refusalOfRoles(user: NewAccount) {
  if (!user.is_auditor || !(user.is_admin || user.is_super_admin)) return undefined
  return invalid('is_auditor', 'An auditor cannot be an admin too. Turn off one of the two first.')
}

function refusalOfHome(isSelf: boolean, before: Account, after: NewAccount, { workspaces }: Facts) {
  if (after.workspace_id === before.workspace_id) return undefined
  const home = workspaces.get(after.workspace_id)
  if (!home) return invalid('workspace_id', `Workspace ${after.workspace_id} does not exist.`)
  if (home.isDeleted) return conflict(`The workspace ${home.name} is deleted. Restore it first.`)
  if (isSelf && home.isDeactivated)
    return conflict('This workspace is deactivated. You could not sign in there any more.')
  return undefined
}

function refusalOfEmail(actor: Actor, { email }: NewAccount, id: number, { holders }: Facts) {
  const holder = email === undefined ? undefined : holders.get(email.toLowerCase())
  if (!holder || holder.id === id) return undefined
  return conflict(`${isVisible(actor, holder) ? holder.name : 'Another user'} has this email now.`)
}

/** A workspace admin does not learn who else exists. */
function isVisible(actor: Actor, { workspace_id }: { workspace_id: number }) {
  return actor.seesEverything || workspace_id === actor.workspace_id
}
